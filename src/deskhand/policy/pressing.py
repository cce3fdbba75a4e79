"""Risks of activating an element: by a press, a click, a menu path, or a key that presses it."""

from __future__ import annotations

import re

from deskhand.policy import words
from deskhand.policy.labels import leads, plain, says
from deskhand.policy.orders import asked_by, closes, goes_ahead, is_bare_order, order_risks, saves, says_no
from deskhand.policy.programs import file_risks, is_calculator, is_editor, is_file_manager, is_terminal
from deskhand.policy.risks import Risk
from deskhand.policy.wording import name_of
from deskhand.types.nodes import Node
from deskhand.types.protocols import PlannedStep

PASSIVE = frozenset(
    [
        "checkbox",
        "radio",
        "switch",
        "toggle",
        "togglebutton",
        "menuitemcheckbox",
        "menuitemradio",
        "tab",
        "combobox",
        "textbox",
        "searchbox",
        "spinbutton",
        "slider",
        "scrollbar",
        "progressbar",
        "separator",
        "menu",
        "menubar",
        "heading",
        "document",
        "terminal",
        "table",
        "tree",
        "list",
        "listbox",
        "grid",
        "treegrid",
        "tablist",
        "toolbar",
        "window",
        "dialog",
        "alert",
        "status",
        "paragraph",
        "canvas",
        "columnheader",
        "rowheader",
        "tooltip",
        "form",
        "meter",
    ]
)
"""Roles that an activation focuses, opens or switches; it carries out no order."""
CONTENT = frozenset(
    ["listitem", "treeitem", "row", "option", "gridcell", "cell", "icon", "link", "article", "label", "img"]
)
"""Roles whose names are content more often than orders: a mail's subject, a file's name."""
_INNER = frozenset(["label", "img", "generic", "group", "text"])
DIALOGS = ("dialog", "alert", "alertdialog")
_STAR = re.compile(r"(?:^|\s)[*•●]|[*•●](?:\s|$)")
_LONG = 400  # characters of a dialog's text that ask; what is longer is a form, not a question
_SOFT = frozenset(
    [
        "apply",
        "next",
        "finish",
        "accept",
        "allow",
        "anwenden",
        "übernehmen",
        "appliquer",
        "aplicar",
        "应用",
        "save",
        "move",
        "copy",
        "ok",
    ]
)


def activation_risks(plan: PlannedStep, node: Node | None) -> set[Risk]:
    """The risks of pressing ``node`` (which need not be the plan's own element)."""
    if node is None:
        return set()
    label = name_of(node)
    if node.role in PASSIVE:
        return set()
    if node.role == "menuitem":
        return path_risks(plan, (*reversed(plan.context), label))
    found = _content_risks(label, node.role) if node.role in CONTENT else label_risks(plan, label)
    if node.role in _INNER and plan.context and is_bare_order(plan.context[0]):
        found |= label_risks(plan, plan.context[0])  # the picture or text inside a button
    return found


def opened_risks(plan: PlannedStep) -> set[Risk]:
    """The risks of opening the file that an item of a file manager stands for."""
    node = plan.element
    if node is None or node.role not in CONTENT or not is_file_manager(plan.window):
        return set()
    return file_risks(name_of(node)) | file_risks(node.text or "")


def _content_risks(label: str, role: str) -> set[Risk]:
    short = len(plain(label).split()) <= 3 and role == "link"
    if plain(label) in words.TRASH_PLACES or not (short or is_bare_order(label)):
        return set()
    return order_risks(label)


def label_risks(plan: PlannedStep, label: str) -> set[Risk]:
    """The risks of a button called ``label`` where the plan says it stands."""
    if is_calculator(plan.window) and not dialog_text(plan):
        return order_risks(label) & {"quit"}
    found = order_risks(label, editing=is_editor(plan.window))
    if "overwrite" in found and _replaces_text(plan):
        found.discard("overwrite")
    if closes(label):
        found |= close_risks(plan)
    return found | _answer_risks(plan, label)


def path_risks(plan: PlannedStep, path: tuple[str, ...]) -> set[Risk]:
    """The risks of choosing a menu's item. ``path``: the names from the outermost menu to the item."""
    if not path:
        return set()
    leaf = plain(path[-1])
    if is_terminal(plan.window) and leaf.startswith(words.PASTES):
        return {"shell"}
    found = order_risks(path[-1], editing=is_editor(plan.window)) - {"overwrite"}  # there it replaces text
    if "delete" in found and _edits_document(plan, path):
        found.discard("delete")
    if closes(path[-1]) or (leaf in words.RELOADS and len(path) > 1):
        found |= close_risks(plan)
    return found


def _edits_document(plan: PlannedStep, path: tuple[str, ...]) -> bool:
    """Edit > Delete in an editor: deletes what is selected in the document, and can be undone."""
    menus = {plain(part) for part in path[:-1]}
    edit = menus & {"edit", "bearbeiten", "édition", "edition", "modifier", "editar", "编辑"}
    return bool(edit) and is_editor(plan.window) and is_bare_order(path[-1])


def close_risks(plan: PlannedStep) -> set[Risk]:
    """The risks of closing the plan's window: some only when it looks unsaved."""
    return {"close_unsaved"} if looks_unsaved(plan) else set()


def looks_unsaved(plan: PlannedStep) -> bool:
    """Whether the window's title carries a mark of unsaved changes, or the plan says that there are some."""
    title = plan.window.title if plan.window is not None else ""
    return bool(plan.extra.get("unsaved")) or bool(_STAR.search(title)) or says(title.casefold(), words.UNSAVED_MARKS)


def is_dialog(plan: PlannedStep) -> bool:
    """Whether the window asks or tells something rather than holding a document."""
    window = plan.window
    return window is not None and (window.modal or window.role in DIALOGS)


def dialog_text(plan: PlannedStep) -> str:
    """What the dialog says; nothing where the window is no dialog."""
    title = plan.window.title if plan.window is not None and is_dialog(plan) else ""
    return f"{plan.dialog_text[:_LONG]}\n{title}".strip()


def asked_risks(plan: PlannedStep) -> set[Risk]:
    """What the dialog asks for: by its text, by its title, by the names around."""
    titles = [plan.window.title if plan.window is not None and is_dialog(plan) else "", *plan.context[:4]]
    editing = is_editor(plan.window)
    by_titles = {risk for title in titles for risk in order_risks(title, editing=editing)}
    return asked_by(plan.dialog_text[:_LONG]) | by_titles


def _answer_risks(plan: PlannedStep, label: str) -> set[Risk]:
    """What a mere yes, no or OK does: whatever its dialog asks."""
    text = dialog_text(plan)
    if not text or _replaces_text(plan):
        return set()
    if says_no(label):
        return {"close_unsaved"} if says(text.casefold(), words.OFFERS_TO_SAVE) else set()
    if (plain(label) and not goes_ahead(label)) or _only_informs(plan, label):
        return set()
    asked = asked_risks(plan)
    if saves(label):
        return asked & {"overwrite"}
    return asked & {"close_unsaved", "quit"} if closes(label) else asked


def _only_informs(plan: PlannedStep, label: str) -> bool:
    """Whether there is nothing to decide: one button, no question; or a form that is merely applied."""
    asks = says_what_will_be(plan.dialog_text)
    role = plan.window.role if plan.window is not None else ""
    ways_out = any(leads(plain(peer), way) for peer in plan.peers for way in words.WAY_OUT)
    if plain(label) in _SOFT and not asks and role not in DIALOGS[1:] and not plan.dialog_text:
        return True
    return not asks and not ways_out


def says_what_will_be(text: str) -> bool:
    """Whether it asks, or announces what is going to happen, rather than telling what did."""
    return "?" in text or "？" in text or says(text.casefold(), words.ANNOUNCES)


def _replaces_text(plan: PlannedStep) -> bool:
    """Whether "Replace" is that of Find and Replace, not that of a file which exists."""
    text = dialog_text(plan).casefold()
    if says(text, ("exists", "existe", "existiert", "vorhanden", "存在", "overwrite", "overwriting")):
        return False
    title = plan.window.title if plan.window is not None else ""
    around = [plain(part) for part in (*plan.peers, *plan.context, title)]
    searching = any(leads(part, word) for part in around for word in words.SEARCHES)
    return searching or (is_editor(plan.window) and not text)
