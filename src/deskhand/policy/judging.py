"""Which risks a planned step has. Pure: the same plan is always judged alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

from deskhand.desktop.act.planning import types_keys
from deskhand.desktop.semantics.secrecy import takes_secret
from deskhand.policy import words
from deskhand.policy.keyboard import cell_risks, key_risks, type_risks
from deskhand.policy.labels import plain, says
from deskhand.policy.orders import order_risks
from deskhand.policy.pressing import activation_risks, close_risks, opened_risks, path_risks
from deskhand.policy.programs import file_risks, is_file_manager, is_terminal
from deskhand.policy.risks import Risk
from deskhand.policy.wording import name_of
from deskhand.types.nodes import Ability, Node
from deskhand.types.protocols import PlannedStep
from deskhand.types.steps import Selector

_MENUS = ("menu", "menubar", "menuitem")
_MENU_ITEMS = ("menuitem", "menuitemcheckbox", "menuitemradio")
_ITEM_ROLES = {"tablist": "tab", "radiogroup": "radio", "toolbar": "button", "group": "button", "generic": "button"}
_WEB = ("http", "https", "file", "about", "")


def risks_of(plan: PlannedStep, *, later: bool = False) -> set[Risk]:
    """The risks of one step.

    ``later``: it is judged before the steps that precede it in its batch are done. What will have the focus then is
    not known, and no risk yet: the step is judged again when its turn comes. So is one whose target is not there.
    """
    found = _VERBS.get(plan.step.do, _anything)(plan)
    absent = plan.element is None and plan.step.on is not None
    return found - {"unknown_focus"} if later or absent else found


def _harmless(_: PlannedStep) -> set[Risk]:
    return set()


def _anything(_: PlannedStep) -> set[Risk]:
    return {"shell"}  # a verb that this table does not know may do whatever a program can


def _press(plan: PlannedStep) -> set[Risk]:
    opened = opened_risks(plan) if plan.step.do == "press" else set()
    return opened | activation_risks(plan, _meant(plan))


def _click(plan: PlannedStep) -> set[Risk]:
    return _clicked(plan) | _dropped(plan)


def _clicked(plan: PlannedStep) -> set[Risk]:
    if plan.step.button == "right":
        return _press(plan) if _role(plan) in _MENU_ITEMS else set()  # elsewhere it opens a context menu
    if plan.step.button == "middle":
        if _role(plan) == "tab":
            return close_risks(plan)
        return {"shell"} if is_terminal(plan.window) or _role(plan) == "terminal" else _press(plan)
    return _press(plan) | (opened_risks(plan) if (plan.step.count or 1) > 1 else set())


def _invoke(plan: PlannedStep) -> set[Risk]:
    words_of = re.split(r"[._\-\s]+|(?<=[a-z])(?=[A-Z])", plan.step.action or "")
    action = " ".join(words_of)
    said = {risk for start in range(len(words_of)) for risk in order_risks(" ".join(words_of[start:]))}
    if plain(action.rpartition(" ")[2]) == "close":
        said |= close_risks(plan)
    return said | _press(plan) | opened_risks(plan)


def _menu(plan: PlannedStep) -> set[Risk]:
    """The last item's, and those of pressing whatever on the way is no menu."""
    nodes = [node for node in (plan.element, plan.extra.get("level")) if isinstance(node, Node)]
    pressed = [node for node in nodes if node.role not in (*_MENUS, *_MENU_ITEMS)]
    return path_risks(plan, tuple(plan.step.path or ())).union(*(activation_risks(plan, node) for node in pressed))


def _set(plan: PlannedStep) -> set[Risk]:
    found: set[Risk] = cell_risks(plan)
    if takes_secret(plan.element):
        found.add("credentials")
    if is_terminal(plan.window) or _role(plan) == "terminal":
        found.add("shell")
    return found | type_risks(plan) if types_keys(plan.step) else found


def _select(plan: PlannedStep) -> set[Risk]:
    role, items = _role(plan), plan.step.items or ()
    if role in _MENUS:
        return path_risks(plan, (name_of(plan.element), *items))
    chosen = [Node(key="", parent=None, role=_ITEM_ROLES.get(role, "option"), name=name) for name in items]
    return _press(plan).union(_opened_by_choice(plan), *(activation_risks(plan, item) for item in chosen))


def _opened_by_choice(plan: PlannedStep) -> set[Risk]:
    """Where a file manager's list takes no selection from outside, its item is pressed, which may open it."""
    if plan.element is None or plan.element.can(Ability.SELECTION) or not is_file_manager(plan.window):
        return set()
    return {risk for name in plan.step.items or () for risk in file_risks(name)}


def _drag(plan: PlannedStep) -> set[Risk]:
    """A drag begins with a press, and short it is a click; then what it is dropped on matters."""
    return _press(plan) | _dropped(plan)


def _dropped(plan: PlannedStep) -> set[Risk]:
    """What a drag ends on."""
    onto = plan.extra.get("to")
    if not isinstance(onto, Node):
        return set()
    found: set[Risk] = {"delete"} if says(plain(name_of(onto)), words.TRASH_PLACES) else activation_risks(plan, onto)
    found |= {"shell"} if onto.role == "terminal" else set()
    return found


def _window(plan: PlannedStep) -> set[Risk]:
    return close_risks(plan) if plan.step.op == "close" else set()


def _open(plan: PlannedStep) -> set[Risk]:
    step = plan.step
    found: set[Risk] = order_risks(step.app) & {"power", "install", "delete"} if step.app is not None else set()
    target = (step.file or unquote(urlsplit(step.url or "").path)).casefold()
    if step.url is not None and urlsplit(step.url).scheme.casefold() not in (*_WEB, "mailto"):
        found.add("shell")  # another scheme starts whatever program claims it
    return found if (step.url or "").casefold().startswith("http") else found | file_risks(target)


def _key(plan: PlannedStep) -> set[Risk]:
    return key_risks(plan)


def _type(plan: PlannedStep) -> set[Risk]:
    return type_risks(plan)


def _role(plan: PlannedStep) -> str:
    return plan.element.role if plan.element is not None else ""


def _meant(plan: PlannedStep) -> Node | None:
    """The element; or, not there yet, what the caller's selector expects to find."""
    on = plan.step.on
    if plan.element is None and isinstance(on, Selector):
        return Node(key="", parent=None, role=on.role or "button", name=on.name or "")
    return plan.element


_VERBS: Mapping[str, Callable[[PlannedStep], set[Risk]]] = {
    "press": _press,
    "check": _press,
    "uncheck": _press,
    "expand": _press,
    "collapse": _press,
    "click": _click,
    "invoke": _invoke,
    "menu": _menu,
    "set": _set,
    "append": _set,
    "type": _type,
    "key": _key,
    "select": _select,
    "drag": _drag,
    "window": _window,
    "open": _open,
    "hover": _harmless,
    "focus": _harmless,
    "scroll": _harmless,
    "clipboard": _harmless,
    "wait": _harmless,
}
