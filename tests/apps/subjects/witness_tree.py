"""A witness for /usr/bin/python3: what applications tell of themselves on the accessibility bus, asked by GDBus.

It shares no code with deskhand and keeps no cache: every answer is fresh. (pyatspi is not used because it fetches an
application's whole cache at first sight, which is known to abort LibreOffice.) One JSON question a line on stdin, one
JSON answer a line on stdout.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="operator"

import json
import sys
from typing import Any

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

A = "org.a11y.atspi."
ACCESSIBLE, COUNT = "Accessible", "ChildCount"
STATES = {
    1: "active", 4: "checked", 7: "editable", 9: "expandable", 10: "expanded", 11: "focusable", 12: "focused",
    20: "pressed", 23: "selected", 24: "sensitive", 25: "showing", 30: "visible",
}  # fmt: skip
MOST = 400


def connect():
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    answer = session.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, 5000, None
    )
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(answer.unpack()[0], flags, None, None)


BUS = connect()


def call(place, interface, member, arguments=None):
    name, path = place
    answer = BUS.call_sync(name, path, interface, member, arguments, None, Gio.DBusCallFlags.NONE, 4000, None)
    return answer.unpack()


def prop(place, interface, name):
    return call(place, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (A + interface, name)))[0]


def attempt(question, other):
    try:
        return question()
    except GLib.Error:
        return other


def states(place):
    low, high = call(place, A + "Accessible", "GetState")[0]
    bits = low | high << 32
    return [word for bit, word in STATES.items() if bits >> bit & 1]


def applications(pid):
    registry = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
    for child in call(registry, A + "Accessible", "GetChildren")[0]:
        who = BUS.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            GLib.Variant("(s)", (child[0],)), None, Gio.DBusCallFlags.NONE, 4000, None,
        ).unpack()[0]  # fmt: skip
        if who == pid:
            yield tuple(child)


def shows(held, gtk4):
    return ("visible" if gtk4 else "showing") in held


def many(questions):
    """Answers to many calls sent at once, in their order; None for one that is refused."""
    answers, left = [None] * len(questions), [len(questions)]

    def arrived(bus, result, number):
        left[0] -= 1
        answers[number] = attempt(lambda: bus.call_finish(result).unpack(), None)

    for number, (place, interface, member, arguments) in enumerate(questions):
        BUS.call(*place, interface, member, arguments, None, Gio.DBusCallFlags.NONE, 4000, None, arrived, number)
    while left[0]:
        GLib.MainContext.default().iteration(True)
    return answers


def getting(place, interface, name):
    return place, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (A + interface, name))


def asking(place, member, interface="Accessible", arguments=None):
    return place, A + interface, member, arguments


def described(places, wanted=None, called=None, shown=lambda place, held: True):
    """Elements in their order, None for those that are gone or not ``shown`` (by place and states).

    Names only of the role ``wanted``, texts, numbers and bounds only of those that are ``called`` so, where that is
    given: every question is answered by the thread that draws.
    """
    found = [
        told(place, answer) for place, answer in zip(places, many([asking(p, "GetState") for p in places]), strict=True)
    ]
    found = [one if one and shown(tuple(one["place"]), one["states"]) else None for one in found]
    for one, role, count in answered(
        found, lambda p: asking(p, "GetRoleName"), lambda p: getting(p, ACCESSIBLE, COUNT)
    ):
        one["role"], one["count"] = role[0] if role else None, count[0] if count else 0
    found = [one if one and one["role"] is not None else None for one in found]
    meant = [one for one in found if one and wanted in (None, one["role"])]
    for one, name in answered(meant, lambda place: getting(place, ACCESSIBLE, "Name")):
        one["name"] = name[0] if name else None
    detail([one for one in meant if one["name"] is not None and called in (None, one["name"].strip())])
    return [one if one and one["name"] is not None else None for one in found]


def told(place, answer):
    if answer is None:
        return None
    held = answer[0][0] | answer[0][1] << 32
    return {
        "place": list(place), "role": None, "name": "", "count": 0,
        "states": [word for bit, word in STATES.items() if held >> bit & 1],
    }  # fmt: skip


def answered(found, *questions):
    """Each of the elements with the answers to the questions about it, all sent at once."""
    there = [one for one in found if one]
    answers = many([question(tuple(one["place"])) for one in there for question in questions])
    return [(one, *answers[len(questions) * n : len(questions) * (n + 1)]) for n, one in enumerate(there)]


def detail(found):
    """What only some interfaces tell, added to the elements."""
    asked = [
        question
        for place in (tuple(one["place"]) for one in found)
        for question in (
            getting(place, "Text", "CharacterCount"), asking(place, "GetSelection", "Text", GLib.Variant("(i)", (0,))),
            getting(place, "Text", "CaretOffset"), getting(place, "Value", "CurrentValue"),
            asking(place, "GetExtents", "Component", GLib.Variant("(u)", (0,))),
        )
    ]  # fmt: skip
    answers = many(asked)
    sizes = [answer[0] if answer else 0 for answer in answers[::5]]
    sizes = [0 if one["role"] == "password text" else size for one, size in zip(found, sizes, strict=True)]
    lines = many(
        [
            asking(tuple(one["place"]), "GetText", "Text", GLib.Variant("(ii)", (0, size)))
            for one, size in zip(found, sizes, strict=True)
            if size > 0
        ]
    )
    for n, (one, size) in enumerate(zip(found, sizes, strict=True)):
        _, selection, caret, number, bounds = answers[5 * n : 5 * n + 5]
        one["text"] = (lines.pop(0) or [""])[0] if size > 0 else ""
        one["selection"], one["caret"] = list(selection or (0, 0)), caret[0] if caret else -1
        one["number"], one["bounds"] = number[0] if number else None, list(bounds[0]) if bounds else []


def walk(root, gtk4, wanted, called):
    """Everything below a window that shows, in document order."""
    level, below = [root], {}
    found: dict[tuple[str, str], dict[str, Any]] = {}

    def shown(place, held):
        return place == root or shows(held, gtk4)

    while level:
        found.update(
            (place, one)
            for place, one in zip(level, described(level, wanted, called, shown), strict=True)
            if one is not None
        )
        parents = [place for place in level if place in found and 0 < found[place]["count"] <= MOST]
        level = []
        for place, answer in zip(parents, many([asking(place, "GetChildren") for place in parents]), strict=True):
            children = [tuple(child) for child in (answer or ([],))[0] if not child[1].endswith("/null")]
            below[place] = [child for child in children if child not in found]
            level += below[place]
    meant = [one for one in ordered(root, below, found) if wanted in (None, one["role"])]
    return [one for one in meant if called in (None, one["name"].strip())]


def ordered(place, below, found):
    if place in found:
        yield found[place]
        for child in below.get(place, ()):
            yield from ordered(child, below, found)


def tree(pid, wanted=None, called=None):
    found = []
    for application in applications(pid):
        version = attempt(lambda application=application: prop(application, "Application", "Version"), "")
        name = attempt(lambda application=application: prop(application, "Application", "ToolkitName"), "")
        gtk4 = name.lower() == "gtk" and version.startswith("4")
        for window in call(application, A + "Accessible", "GetChildren")[0]:
            held = attempt(lambda window=window: states(tuple(window)), [])
            if "showing" in held or "visible" in held:
                found += walk(tuple(window), gtk4, wanted, called)
    return found


def cell(place, row, column):
    """Text and states of a table's cell, with what its parts say."""
    found = tuple(call(tuple(place), A + "Table", "GetAccessibleAt", GLib.Variant("(ii)", (row, column)))[0])
    said = described([found])[0]
    parts = described([tuple(part) for part in call(found, A + "Accessible", "GetChildren")[0]])
    said["text"] = said["text"] or " ".join(part["text"] for part in parts if part).strip()
    return said


def answers(pid):
    """Whether the application answers at all."""
    return [prop(application, "Accessible", "Name") for application in applications(pid)]


QUESTIONS = {"tree": tree, "cell": cell, "answers": answers}
for line in sys.stdin:
    question, *arguments = json.loads(line)
    try:
        print(json.dumps({"answer": QUESTIONS[question](*arguments)}), flush=True)
    except GLib.Error as error:
        print(json.dumps({"error": error.message}), flush=True)
