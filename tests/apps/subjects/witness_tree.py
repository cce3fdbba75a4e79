"""A witness for /usr/bin/python3: what applications tell of themselves on the accessibility bus, asked by GDBus.

It shares no code with deskhand and keeps no cache: every answer is fresh. (pyatspi is not used because it fetches an
application's whole cache at first sight, which is known to abort LibreOffice.) One JSON question a line on stdin, one
JSON answer a line on stdout.
"""

import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

A = "org.a11y.atspi."
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


def describe(place, held):
    interfaces = [name.rpartition(".")[2] for name in call(place, A + "Accessible", "GetInterfaces")[0]]
    role = call(place, A + "Accessible", "GetRoleName")[0]
    said = {"role": role, "name": prop(place, "Accessible", "Name"), "states": held, "place": list(place)}
    if "Text" in interfaces and role != "password text":
        length = attempt(lambda: prop(place, "Text", "CharacterCount"), 0)
        said["text"] = attempt(lambda: call(place, A + "Text", "GetText", GLib.Variant("(ii)", (0, length)))[0], "")
        chosen = attempt(lambda: call(place, A + "Text", "GetSelection", GLib.Variant("(i)", (0,))), (0, 0))
        said["selection"], said["caret"] = list(chosen), attempt(lambda: prop(place, "Text", "CaretOffset"), -1)
    if "Value" in interfaces:
        said["number"] = attempt(lambda: prop(place, "Value", "CurrentValue"), None)
    if "Component" in interfaces:
        said["bounds"] = list(
            attempt(lambda: call(place, A + "Component", "GetExtents", GLib.Variant("(u)", (0,)))[0], ())
        )
    return said


def walk(place, gtk4, top=True, depth=0):
    held = attempt(lambda: states(place), [])
    if not top and not shows(held, gtk4):
        return
    node = attempt(lambda: describe(place, held), None)
    if node is None:
        return
    yield node
    if 0 < prop(place, "Accessible", "ChildCount") <= MOST and depth < 40:
        for child in call(place, A + "Accessible", "GetChildren")[0]:
            if not child[1].endswith("/null"):
                yield from walk(tuple(child), gtk4, False, depth + 1)


def tree(pid):
    found = []
    for application in applications(pid):
        version = attempt(lambda application=application: prop(application, "Application", "Version"), "")
        name = attempt(lambda application=application: prop(application, "Application", "ToolkitName"), "")
        gtk4 = name.lower() == "gtk" and version.startswith("4")
        for window in call(application, A + "Accessible", "GetChildren")[0]:
            held = attempt(lambda window=window: states(tuple(window)), [])
            if "showing" in held or "visible" in held:
                found += walk(tuple(window), gtk4)
    return found


def cell(place, row, column):
    """Text and states of a table's cell, with what its parts say."""
    found = tuple(call(tuple(place), A + "Table", "GetAccessibleAt", GLib.Variant("(ii)", (row, column)))[0])
    said = describe(found, states(found))
    parts = [describe(tuple(part), []) for part in call(found, A + "Accessible", "GetChildren")[0]]
    said["text"] = said.get("text") or " ".join(part.get("text", "") for part in parts).strip()
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
