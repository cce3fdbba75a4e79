"""Forty steps and more that can do harm, and as many that cannot, as the gate gets them: it asks about the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import pytest

from deskhand.policy.judging import _VERBS, risks_of
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, State, Window
from deskhand.types.protocols import PlannedStep
from deskhand.types.steps import Step, Verb


def window(title: str = "notes.txt - Mousepad", app: str = "mousepad", role: str = "window", **more: Any) -> Window:
    return Window(key="1", title=title, app=app, pid=1, bounds=Rect(0, 0, 9, 9), role=role, **more)


def node(name: str, role: str = "button", states: State = State.NONE) -> Node:
    return Node(key=name, parent=None, role=role, name=name, states=states)


def plan(step: Mapping[str, Any], element: Node | None = None, where: Window | None = None, **more: Any) -> PlannedStep:
    return PlannedStep(1, Step.model_validate(step), element, where or window(), **more)


def press(name: str, where: Window | None = None, role: str = "button", **more: Any) -> PlannedStep:
    return plan({"do": "press", "on": "r1"}, node(name, role), where, **more)


def key(keys: str, element: Node | None = None, where: Window | None = None, **more: Any) -> PlannedStep:
    return plan({"do": "key", "keys": keys}, element, where, **more)


def menu(*path: str, where: Window | None = None, **more: Any) -> PlannedStep:
    return plan({"do": "menu", "path": list(path)}, None, where, **more)


FILES = window("Documents - Thunar", "thunar")
CALC = window("Untitled 1 - LibreOffice Calc", "soffice")
EDITED = window("*notes.txt - Mousepad")
ALERT = window("", "mousepad", "alert", modal=True)
DIALOG = window("Save As", "mousepad", "dialog", modal=True)
TEXT = node("", "textbox", State.MULTILINE | State.EDITABLE)
ENTRY = node("Name", "textbox", State.EDITABLE)
REPLACE_SAYS = 'A file named "a.txt" already exists. Do you want to replace it?'
SAVE_SAYS = "Do you want to save the changes before closing? If you don't save, your changes will be permanently lost."

RISKY: dict[str, tuple[PlannedStep, str]] = {
    "delete button of a file manager": (press("Delete", FILES), "delete"),
    "move to trash in a context menu": (press("Mo_ve to Trash", FILES, "menuitem"), "delete"),
    "edit > delete in a file manager": (menu("Edit", "Delete", where=FILES), "delete"),
    "click on delete": (plan({"do": "click", "on": "r1"}, node("Delete"), FILES), "delete"),
    "Delete key on a file": (key("Delete", node("a.txt", "cell"), FILES), "delete"),
    "shift+Delete on a file": (key("shift+Delete", node("a.txt", "icon"), FILES), "delete"),
    "Delete key in a file dialog": (key("Delete", node("a.txt", "cell"), DIALOG), "delete"),
    "Delete key, focus unknown": (key("Delete", None, FILES), "unknown_focus"),
    "Enter on a focused Delete button": (key("Return", node("Delete"), ALERT), "delete"),
    "Space on a focused Delete button": (key("space", node("Delete"), ALERT), "delete"),
    "empty trash": (press("Empty Trash…", FILES), "delete"),
    "yes to a question about deleting": (
        press("Yes", ALERT, dialog_text="Delete 3 files permanently?", peers=("No",)), "delete"),
    "replace in a file dialog": (press("Replace", ALERT, dialog_text=REPLACE_SAYS, peers=("Cancel",)), "overwrite"),
    "Enter with Replace as default": (
        key("Return", ENTRY, ALERT, default=node("_Replace"), dialog_text=REPLACE_SAYS), "overwrite"),
    "alt+r with Replace beside": (key("alt+r", ENTRY, ALERT, dialog_text=REPLACE_SAYS, peers=("Replace", "Cancel")),
                                  "overwrite"),
    "OK to overwriting": (
        press("OK", ALERT, dialog_text="Overwrite the existing file?", peers=("Cancel",)), "overwrite"),
    "don't save": (press("Don't Save", ALERT, dialog_text=SAVE_SAYS, peers=("Cancel", "Save")), "close_unsaved"),
    "discard": (press("_Discard", ALERT), "close_unsaved"),
    "close without saving": (press("Close without Saving", ALERT), "close_unsaved"),
    "no to saving": (
        press("No", ALERT, dialog_text="Save changes to document?", peers=("Yes", "Cancel")), "close_unsaved"),
    "alt+F4 on an edited document": (key("alt+F4", TEXT, EDITED), "close_unsaved"),
    "ctrl+w on an edited document": (key("ctrl+w", TEXT, EDITED), "close_unsaved"),
    "window close on an edited document": (
        plan({"do": "window", "on": "w1", "op": "close"}, None, EDITED), "close_unsaved"),
    "file > close on an edited document": (menu("File", "Close Tab", where=EDITED), "close_unsaved"),
    "ctrl+q": (key("ctrl+q", TEXT), "quit"),
    "file > quit": (menu("File", "Quit"), "quit"),
    "file > exit of an office": (menu("File", "Exit LibreOffice", where=CALC), "quit"),
    "pressed quit item": (press("Quit", None, "menuitem", context=("File", "")), "quit"),
    "q in an open menu": (key("q", node("Save", "menuitem"), None, peers=("New", "Quit")), "quit"),
    "send a mail": (press("Send", window("Write: hello", "thunderbird")), "send"),
    "ctrl+Return in a mail": (key("ctrl+Return", TEXT, window("Write: hello", "thunderbird")), "send"),
    "Enter beside a Send button": (key("Return", TEXT, window("Chat", "chat"), peers=("Send",)), "send"),
    "pay now": (press("Pay now", window("Shop", "firefox")), "pay"),
    "install": (press("Install", window("Software", "gnome-software")), "install"),
    "the power key": (key("XF86PowerOff", TEXT), "power"),
    "a keyboard's key that closes": (key("XF86Close", TEXT, EDITED), "close_unsaved"),
    "a keyboard's key that sends": (key("XF86Send", TEXT), "send"),
    "shut down": (press("Shut Down…", window("Log Out", "session", "dialog")), "power"),
    "typing into a terminal": (
        plan({"do": "type", "value": "ls"}, node("", "terminal"), window("~", "xterm")), "shell"),
    "Enter in a terminal": (key("Return", None, window("~", "Gnome-terminal")), "shell"),
    "password": (
        plan({"do": "set", "on": "r1", "value": "x"}, node("Password", "textbox", State.PROTECTED)), "credentials"),
    "Enter, focus unknown": (key("Return"), "unknown_focus"),
    **{
        f"{verb} on Delete": (plan({"do": verb, "on": "r1"}, node("Delete"), FILES), "delete")
        for verb in ("expand", "collapse", "check", "uncheck")
    },
    "drag from Delete": (plan({"do": "drag", "on": "r1", "to": [1, 1]}, node("Delete"), FILES), "delete"),
    "drag to the trash": (
        plan({"do": "drag", "on": "r1", "to": "r2"}, node("a.txt", "icon"), FILES, extra={"to": node("Trash", "icon")}),
        "delete"),
    "drag onto a terminal": (
        plan({"do": "drag", "on": "r1", "to": "r2"}, node("a.txt", "icon"), FILES, extra={"to": node("", "terminal")}),
        "shell"),
    "a right click on a menu's Delete": (
        plan({"do": "click", "on": "r1", "button": "right"}, node("Delete", "menuitem"), FILES), "delete"),
    "Delete chosen from a menu": (
        plan({"do": "select", "on": "r1", "items": ["Delete"]}, node("Actions", "menu"), FILES), "delete"),
    "Delete chosen from a list of actions": (
        plan({"do": "select", "on": "r1", "items": ["Rename", "Delete"]}, node("Actions", "listbox"), FILES), "delete"),
    "Delete chosen from a bar of buttons": (
        plan({"do": "select", "on": "r1", "items": ["Delete"]}, node("", "toolbar"), FILES), "delete"),
    **{
        f"{verb} with {name} in a dialog about deleting": (
            plan({"do": verb, "on": "r1", "value": f"a{char}"}, ENTRY, ALERT, default=node("Delete"),
                 peers=("Cancel", "Delete"), dialog_text="Delete it?"), "delete")
        for verb in ("set", "append", "type") for name, char in (("a line break", "\n"), ("a return", "\r"))
    },
    "set by the keyboard on a dialog's button": (
        plan({"do": "set", "on": "r1", "value": "d", "route": "keyboard"}, node("Mode", "group"), ALERT,
             peers=("Cancel", "Delete")), "delete"),
    "set with a tab and a blank": (
        plan({"do": "set", "on": "r1", "value": "a\t "}, ENTRY, ALERT, peers=("Cancel",)), "unknown_focus"),
    "type with a tab and a blank": (plan({"do": "type", "value": "a\t "}, ENTRY, ALERT), "unknown_focus"),
    "tab and space as keys": (key("Tab space", ENTRY, ALERT), "unknown_focus"),
    "right and Return as keys": (key("Right Return", node("Cancel"), ALERT, peers=("Delete",)), "unknown_focus"),
    "a file's cell emptied": (plan({"do": "set", "on": "r70[3]", "value": ""}, node("a.txt", "cell"), FILES), "delete"),
    "a file dialog's cell emptied": (
        plan({"do": "set", "on": "r70[3]", "value": ""}, node("a.txt", "cell"), DIALOG), "delete"),
    **{
        f"a field called {name}": (
            plan({"do": "set", "on": "r1", "value": "1234"}, node(name, "textbox", State.EDITABLE)), "credentials")
        for name in ("PIN", "_PIN:", "API token", "client_secret", "Password (again)", "确认密码")
    },
    "a program double-clicked": (
        plan({"do": "click", "on": "r1", "count": 2}, node("a.desktop", "cell"), FILES), "shell"),
    "a program opened by its action": (
        plan({"do": "invoke", "on": "r1", "action": "activate"}, node("setup.sh", "icon"), FILES), "shell"),
    "a program chosen where choosing is pressing": (
        plan({"do": "select", "on": "r1", "items": ["a.txt", "setup.sh"]}, node("Files", "table"), FILES), "shell"),
    "a package opened by Enter": (key("Return", node("tool.deb", "cell"), FILES), "install"),
    "a program by its escaped address": (plan({"do": "open", "url": "file:///tmp/a%2Esh"}), "shell"),
    "an action called delete-file": (
        plan({"do": "invoke", "on": "r1", "action": "row.delete-file"}, node("a", "row")), "delete"),
    "Enter in a page's form that pays": (
        key("Return", ENTRY, window("Shop", "firefox"), peers=("Pay now",), extra={"page": True}), "pay"),
    "Enter in a page's form that deletes": (
        key("Return", ENTRY, window("Account", "firefox"), peers=("Delete account",), extra={"page": True}), "delete"),
    **{
        f"Enter on a {role} of a page's form that deletes": (
            key("Return", node("I agree", role), window("Account", "firefox"), peers=("Delete account",),
                extra={"page": True}), "delete")
        for role in ("checkbox", "radio", "switch", "slider")
    },
    "alt+d in a window with Delete": (
        key("alt+d", ENTRY, FILES, extra={"buttons": ("Delete",), "menus": ("File",)}), "delete"),
    "German delete": (press("Ausgewählte Dateien _löschen", FILES), "delete"),
}  # fmt: skip

HARMLESS: dict[str, PlannedStep] = {
    "Enter on a checkbox of a page's form that searches": key(
        "Return", node("Whole words", "checkbox"), window("Shop", "firefox"), peers=("Search",), extra={"page": True}),
    "Enter on a checkbox outside of a page": key(
        "Return", node("Whole words", "checkbox"), FILES, peers=("Delete",)),
    "space on a checkbox of a page's form that deletes": key(
        "space", node("I agree", "checkbox"), window("Account", "firefox"), peers=("Delete account",),
        extra={"page": True}),
    "delete decimal place": press("Delete Decimal Place", CALC),
    "edit > delete in an editor": menu("Edit", "Delete"),
    "delete rows of a sheet": menu("Sheet", "Delete Rows", where=CALC),
    "undo delete": menu("Edit", "Undo Delete"),
    "overwrite mode": menu("Edit", "Overwrite Mode"),
    "send to back": menu("Format", "Arrange", "Send to Back", where=CALC),
    "clear formatting": press("Clear Direct Formatting", CALC),
    "find and replace": menu("Search", "Find and Replace…"),
    "replace in find and replace": press(
        "Replace", window("Find and Replace", "mousepad", "dialog"), peers=("Find", "Replace All")),
    "replace all in find and replace": press(
        "Replace _All", window("Find & Replace", "soffice", "dialog"), peers=("Find Next", "Replace")),
    "exit full screen": press("Exit Fullscreen", window("Films", "totem")),
    "close print preview": press("Close Preview", CALC),
    "closing an unchanged window": plan({"do": "window", "on": "w1", "op": "close"}),
    "alt+F4 on an unchanged window": key("alt+F4", TEXT),
    "ctrl+w on an unchanged window": key("ctrl+w", TEXT),
    "file > close": menu("File", "Close", where=CALC),
    "save": press("Save", DIALOG, peers=("Cancel",)),
    "save in a question whether to save": press("Save", ALERT, dialog_text=SAVE_SAYS, peers=("Don't Save", "Cancel")),
    "cancel in a question about deleting": press("Cancel", ALERT, dialog_text="Delete it?", peers=("Delete",)),
    "keep current format": press("Keep Current Format!", ALERT, dialog_text="The document may contain formatting"),
    "Delete key in text": key("Delete", TEXT),
    "Delete key in a cell": key("Delete", node("B7", "cell"), CALC),
    "shift+Delete in text": key("shift+Delete", TEXT),
    "Enter in text": key("Return", TEXT, EDITED),
    "Enter in a cell": key("Return", node("B7", "cell"), CALC),
    "Enter in a file dialog's name": key("Return", ENTRY, DIALOG, default=node("Save"), peers=("Cancel", "Save")),
    "Enter on a focused OK that only informs": key("Return", node("OK"), ALERT, dialog_text="The file was deleted."),
    "Space in text": key("space", TEXT),
    "ctrl+s": key("ctrl+s", TEXT, EDITED),
    "ctrl+a ctrl+c": key("ctrl+a ctrl+c", TEXT),
    "typing a warning into a note": plan({"do": "type", "value": "delete all, quit and pay\n"}, TEXT),
    "setting a cell to Delete": plan({"do": "set", "on": "r1", "value": "Delete"}, node("B2", "cell"), CALC),
    "a file called Delete me": plan({"do": "click", "on": "r1"}, node("Delete me.txt", "cell"), FILES),
    "selecting the trash": plan({"do": "click", "on": "r1"}, node("Trash", "treeitem"), FILES),
    "a right click on Delete": plan({"do": "click", "on": "r1", "button": "right"}, node("Delete"), FILES),
    "a field called Send to": plan({"do": "press", "on": "r1"}, node("Send to", "textbox")),
    "a box about quitting": plan({"do": "check", "on": "r1"}, node("Quit when the last window is closed", "checkbox")),
    "opening a text file": plan({"do": "open", "file": "/home/a/notes.txt"}),
    "a calculator's delete": press("Delete", window("Calculator", "gnome-calculator")),
    "expand a folder called Trash": plan({"do": "expand", "on": "r1"}, node("Trash", "treeitem"), FILES),
    "drag into a folder": plan(
        {"do": "drag", "on": "r1", "to": "r2"}, node("a.txt", "icon"), FILES, extra={"to": node("Photos", "icon")}),
    "select a file": plan({"do": "select", "on": "r1", "items": ["Delete me.txt"]}, node("", "table"), FILES),
    "set a sheet's cell to nothing": plan({"do": "set", "on": "r1[B2]", "value": ""}, node("B2", "cell"), CALC),
    "type a row into a sheet": plan({"do": "type", "value": "1\t2\t3\n"}, node("B2", "cell"), CALC),
    "type tabs into a text": plan({"do": "type", "value": "a\tb\n"}, TEXT),
    "tab at the end": plan({"do": "type", "value": "a\t"}, ENTRY, DIALOG),
    "set a text of lines": plan({"do": "set", "on": "r1", "value": "delete\nall\t."}, TEXT),
    "tab twice": key("Tab Tab", ENTRY, DIALOG),
    "choose a font": plan({"do": "select", "on": "r1", "items": ["Sans"]}, node("Font", "combobox")),
    "a field called Pinboard": plan({"do": "set", "on": "r1", "value": "x"}, node("Pinboard", "textbox")),
    "a program that is selected": plan({"do": "click", "on": "r1"}, node("a.desktop", "cell"), FILES),
    "a text double-clicked": plan({"do": "click", "on": "r1", "count": 2}, node("a.txt", "cell"), FILES),
    "alt+e opens the Edit menu": key("alt+e", ENTRY, FILES, extra={"buttons": ("Delete",), "menus": ("File", "Edit")}),
    "Enter in a field near Delete": key("Return", ENTRY, window("Contacts", "contacts"), peers=("Delete",)),
    "restart page numbering": press("Restart numbering", CALC),
}  # fmt: skip


@pytest.mark.proves("C9")
@pytest.mark.parametrize("name", RISKY)
def test_a_step_that_can_do_harm_is_asked_about(name: str) -> None:
    planned, risk = RISKY[name]
    assert risk in risks_of(planned)


@pytest.mark.proves("C9")
@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_step_is_not_asked_about(name: str) -> None:
    assert risks_of(HARMLESS[name]) == set()


def test_there_are_at_least_forty_of_each() -> None:
    assert len(RISKY) >= 40 <= len(HARMLESS)


def test_every_verb_is_judged_and_an_unknown_one_is_risky() -> None:
    assert set(_VERBS) == set(get_args(Verb))
    assert risks_of(PlannedStep(1, Step.model_construct(do="explode"))) == {"shell"}


def test_an_expanded_delete_button_deletes_and_does_nothing_else() -> None:
    assert risks_of(RISKY["expand on Delete"][0]) == {"delete"}
    assert risks_of(RISKY["set with a line break in a dialog about deleting"][0]) == {"delete"}
