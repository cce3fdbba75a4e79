"""Risks of keys and typed text: judged by what has the focus, and by what the keys are known to do."""

from __future__ import annotations

from dataclasses import replace

from deskhand.desktop.semantics.secrecy import takes_secret
from deskhand.policy import words
from deskhand.policy.keys import Chord, chords
from deskhand.policy.labels import leads, plain
from deskhand.policy.pressing import (
    activation_risks,
    asked_risks,
    close_risks,
    is_dialog,
    label_risks,
    opened_risks,
    path_risks,
    says_what_will_be,
)
from deskhand.policy.programs import (
    is_calculator,
    is_cell_address,
    is_editor,
    is_file_manager,
    is_mailer,
    is_terminal,
)
from deskhand.policy.risks import Risk
from deskhand.policy.wording import name_of
from deskhand.types.nodes import Node, State
from deskhand.types.protocols import PlannedStep

_TEXT = frozenset(["textbox", "searchbox", "spinbutton", "document", "paragraph", "combobox", "heading"])
_LISTS = frozenset(
    [
        "list",
        "listbox",
        "listitem",
        "tree",
        "treeitem",
        "treegrid",
        "table",
        "row",
        "cell",
        "gridcell",
        "icon",
        "option",
        "grid",
    ]
)
_MENUS = frozenset(["menu", "menubar", "menuitem", "menuitemcheckbox", "menuitemradio"])
_TICKED = frozenset(["checkbox", "radio", "switch", "slider"])
"""Where nothing is written, and Enter sends a page's form all the same."""
_POWERING = frozenset(
    f"xf86{name}" for name in ("poweroff", "powerdown", "sleep", "suspend", "hibernate", "standby", "logoff")
)
_ROOTS = frozenset(["window", "dialog", "alert", "application"])
_HARMLESS_IN_SECRET = frozenset(
    ["tab", "escape", "up", "down", "left", "right", "home", "end", "enter", "backspace", "delete", "shift"]
)


def key_risks(plan: PlannedStep) -> set[Risk]:
    """The risks of a ``key`` step."""
    if _in_terminal(plan):
        return {"shell"}
    found: set[Risk] = set()
    for chord in chords(plan.step.keys or ""):
        found |= _chord_risks(plan, chord)
        plan = replace(plan, element=None) if _moves_focus(plan, chord) else plan
    return found


def type_risks(plan: PlannedStep) -> set[Risk]:
    """The risks of a step that types.

    Text into an unknown focus is asked about, like Enter: while a menu is open, toolkits tell no focus, and a letter
    chooses one of its items. A line break is an Enter, and is judged as one; a blank presses a focused button; and
    what follows a tab goes to whatever gets the focus by it.
    """
    if _in_terminal(plan):
        return {"shell"}
    if plan.element is None:
        return {"unknown_focus"}
    text, tab, beyond = str(plan.step.value).partition("\t")
    found: set[Risk] = {"credentials"} if takes_secret(plan.element) else set()
    if tab and beyond and _moves_focus(plan, Chord(frozenset(), "tab")):
        found.add("unknown_focus")
    elif tab:
        text += beyond
    if "\n" in text or "\r" in text:
        found |= _enter(plan, Chord(frozenset(), "enter"))
    if plan.element.role not in _TEXT:
        found |= _space(plan) if " " in text else set()
        found |= {risk for char in set(text.casefold()) if char.isalnum() for risk in _letter(plan, char)}
    return found


def cell_risks(plan: PlannedStep) -> set[Risk]:
    """The risks of setting an item of a table or list that is no sheet's cell: Delete and Enter pressed on it."""
    node = plan.element
    if node is None or node.role not in _LISTS or is_cell_address(node.name) or _in_spreadsheet(plan, node):
        return set()
    return _delete(plan, Chord(frozenset(), "delete")) | _enter(plan, Chord(frozenset(), "enter"))


def _moves_focus(plan: PlannedStep, chord: Chord) -> bool:
    """Whether something else may have the focus after the chord. Not in a document, where a tab is text or a step."""
    node = plan.element
    if chord.key in ("tab", "iso_left_tab"):
        in_document = node is not None and (node.has(State.MULTILINE) or _in_spreadsheet(plan, node))
        return not (in_document and is_editor(plan.window) and not is_dialog(plan))
    if chord.key in ("up", "down", "left", "right", "home", "end"):
        return node is not None and node.role not in _TEXT | _LISTS
    return chord.key in ("f6", "f10", "menu", "escape")


def _in_terminal(plan: PlannedStep) -> bool:
    if is_terminal(plan.window) or (plan.element is not None and plan.element.role == "terminal"):
        return True
    near = [name_of(plan.element), *plan.context[:6]]
    return is_editor(plan.window) and any(leads(plain(name), "terminal") for name in near)


def _chord_risks(plan: PlannedStep, chord: Chord) -> set[Risk]:
    found = _accelerator(plan, chord)
    if takes_secret(plan.element) and not (chord.key in _HARMLESS_IN_SECRET or chord.mods & {"alt", "super"}):
        found.add("credentials")
    if chord.key == "enter":
        return found | _enter(plan, chord)
    if chord.key == "space" and not chord.mods - {"shift"}:
        return found | _space(plan)
    if chord.key == "delete" or (chord.key == "backspace" and chord.mods & {"super", "ctrl"}):
        return found | _delete(plan, chord)
    if len(chord.key) == 1:
        found |= _letter(plan, chord.key, by_mnemonic=chord.only("alt")) if not chord.mods - {"alt", "shift"} else set()
    return found


def _accelerator(plan: PlannedStep, chord: Chord) -> set[Risk]:
    """What chords do nearly everywhere, whatever has the focus."""
    key, mods = chord.key, chord.mods
    if key == "q" and mods & {"ctrl", "super"} and "alt" not in mods:
        return {"quit"}
    if key == "space" and mods == {"alt"}:
        return close_risks(plan)  # the window's own menu, which offers to close it
    if (key == "w" and mods & {"ctrl", "super"}) or (key == "f4" and mods & {"alt", "ctrl"}):
        return close_risks(plan)
    if key in ("delete", "backspace") and mods >= {"ctrl", "alt"}:
        return {"power"}
    if key == "xf86close":
        return close_risks(plan)
    return {"power"} if key in _POWERING else {"send"} if key == "xf86send" else set()


def _enter(plan: PlannedStep, chord: Chord) -> set[Risk]:
    node = plan.element
    if node is None:
        return {"unknown_focus"}
    if node.role in ("menu", "menubar"):
        return {"unknown_focus"}  # it takes the item that is marked, which the menu does not tell
    if node.role in _MENUS:
        return activation_risks(plan, node)
    if node.role in _TEXT and (_sends(plan, chord) or plan.default is None):
        return {"send"} if _sends(plan, chord) else _entry_without_default(plan, node)
    if node.has(State.MULTILINE) or is_cell_address(node.name) or node.role == "document":
        return set()
    found = opened_risks(plan) if node.role in _LISTS else activation_risks(plan, node)
    if plan.default is not None:
        return found | activation_risks(plan, plan.default)
    submits = node.role in _ROOTS or (node.role in _TICKED and plan.extra.get("page"))
    return found | (_any_peer(plan) if submits else set())


def _entry_without_default(plan: PlannedStep, node: Node) -> set[Risk]:
    """Enter in a field of a dialog or of a page presses one of the buttons beside it, where no default is known.

    In other windows it may do the same as the button beside that sends or pays.
    """
    if node.has(State.MULTILINE):
        return set()
    found = _any_peer(plan)
    return found if is_dialog(plan) or plan.extra.get("page") else found & {"send", "pay"}


def _sends(plan: PlannedStep, chord: Chord) -> bool:
    """Whether Enter sends a message: a Send button beside the field, or Ctrl+Enter in a mail program."""
    if "shift" in chord.mods:
        return False
    beside = any(plain(peer) in words.SENDERS for peer in plan.peers)
    return (beside and not is_editor(plan.window)) or (bool(chord.mods & {"ctrl", "super"}) and is_mailer(plan.window))


def _any_peer(plan: PlannedStep) -> set[Risk]:
    """The risks of all buttons of the dialog; where they are not known, of what it asks."""
    if not plan.peers and says_what_will_be(plan.dialog_text):
        return asked_risks(plan)
    return {risk for peer in plan.peers for risk in label_risks(plan, peer)}


def _space(plan: PlannedStep) -> set[Risk]:
    node = plan.element
    if node is None:
        return {"unknown_focus"}
    if node.role in _TEXT or node.role in _LISTS:
        return set()
    if node.role in ("menu", "menubar"):
        return {"unknown_focus"}
    return activation_risks(plan, node)


def _delete(plan: PlannedStep, chord: Chord) -> set[Risk]:
    node = plan.element
    if node is None:
        return {"unknown_focus"}
    if node.role in _TEXT or is_cell_address(node.name) or is_calculator(plan.window):
        return set()
    if node.role in _LISTS:
        return set() if _in_spreadsheet(plan, node) else {"delete"}
    if is_file_manager(plan.window) or (
        node.role in ("generic", "group", "canvas", "window") and not is_editor(plan.window)
    ):
        return {"delete"}  # a view of icons is often a bare canvas
    return set()


def _in_spreadsheet(plan: PlannedStep, node: Node) -> bool:
    """A table of an office document: Delete empties cells, which can be undone. Its dialogs' lists are no such."""
    return is_editor(plan.window) and not is_dialog(plan) and node.role in ("table", "cell", "grid", "gridcell")


def _letter(plan: PlannedStep, char: str, by_mnemonic: bool = False) -> set[Risk]:
    """A letter that may choose a menu's item or, with Alt, press a dialog's button: labels do not tell which."""
    node = plan.element
    if node is None and not by_mnemonic:
        return {"unknown_focus"}
    if node is not None and node.role in _MENUS and not by_mnemonic:
        chosen = {risk for peer in plan.peers if char in plain(peer) for risk in path_risks(plan, (peer,))}
        return chosen if plan.peers else {"unknown_focus"}
    if not is_dialog(plan):
        return _mnemonic(plan, char) if by_mnemonic else set()
    if node is not None and node.role in _TEXT and not by_mnemonic:
        return set()
    if not plan.peers:
        return _any_peer(plan)
    own = (name_of(node),) if node is not None and node.role == "button" else ()  # its mnemonic, too
    return {risk for name in (*plan.peers, *own) if char in plain(name) for risk in label_risks(plan, name)}


def _mnemonic(plan: PlannedStep, char: str) -> set[Risk]:
    """A button that Alt and this letter may press in any window; a menu that begins with it comes first."""
    menus: tuple[str, ...] = plan.extra.get("menus", ())
    taken = any(plain(name).startswith(char) for name in menus)
    buttons: tuple[str, ...] = plan.extra.get("buttons", ())
    pressed = [name for name in buttons if plain(name).startswith(char) or (char in plain(name) and not taken)]
    return {risk for name in pressed for risk in label_risks(plan, name)}
