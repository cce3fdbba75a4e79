#!/usr/bin/env python3
"""Write the library's sync face from its async one, the same signatures and docstrings; ``--check`` only compares."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

LIBRARY = Path(__file__).parents[1] / "src" / "deskhand" / "library"
TARGET = LIBRARY / "sync.py"
SOURCES = {
    "locators.py": ("Finding", "Locator"),
    "windows.py": ("Window",),
    "desktop.py": ("Desktop",),
    "expecting.py": ("LocatorExpectation", "WindowExpectation"),
}
INNER = frozenset({"scope", "link", "seen", "words"})
"""What a locator needs of where it looks: nothing for a program."""
MIRRORED = frozenset(name for names in SOURCES.values() for name in names)
HEAD = '''\
"""Desktops for Python programs, without ``async``. Written by ``scripts/mirror_sync.py``; do not edit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, overload

from deskhand.library import desktop as _desktop
from deskhand.library import expecting as _expecting
from deskhand.library import locators as _locators
from deskhand.library import windows as _windows
from deskhand.library.portal import Portal
from deskhand.library.queries import Text
from deskhand.types.requests import Detail
from deskhand.types.results import (
    ActResult,
    AppsResult,
    Effect,
    ElementInfo,
    FindResult,
    InputResult,
    Judgement,
    PointResult,
    ScreenshotResult,
    TableInfo,
    View,
    WindowLine,
)
from deskhand.types.steps import Target

'''
TAIL = '''

@overload
def expect(what: Locator) -> LocatorExpectation: ...


@overload
def expect(what: Window) -> WindowExpectation: ...


def expect(what: Locator | Window) -> LocatorExpectation | WindowExpectation:
    """``expect(locator).to_have_value("x")``: waits until it is so, or tells what is there instead."""
    if isinstance(what, Locator):
        return LocatorExpectation(what._portal, _expecting.LocatorExpectation(what._it))
    return WindowExpectation(what._portal, _expecting.WindowExpectation(what._it))


@contextmanager
def connect(
    desktop: str | None = None,
    *,
    on_confirmation: Callable[[Judgement], bool] | None = None,
    timeout: float = 5.0,
) -> Iterator[Desktop]:
    """A connected desktop, as ``deskhand.connect`` gives it; ``on_confirmation`` is called in a thread of its own."""
    portal = Portal()
    try:
        context = _desktop.connect(desktop, on_confirmation=_apart(on_confirmation), timeout=timeout)
        inner = portal.run(context.__aenter__())
        try:
            yield Desktop(portal, inner)
        finally:
            portal.run(context.__aexit__(None, None, None))
    finally:
        portal.close()


def _apart(answer: Callable[[Judgement], bool] | None) -> _desktop.OnConfirmation | None:
    """A callback that may block (``input()``) without holding up the connection."""
    if answer is None:
        return None
    return lambda judgement: asyncio.to_thread(answer, judgement)
'''


def mirrored() -> str:
    """The sync face's source."""
    parts = [HEAD]
    for file, names in SOURCES.items():
        tree = ast.parse((LIBRARY / file).read_text(encoding="utf-8"))
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        parts += [_class(classes[name], file.removesuffix(".py")) for name in names]
    return "\n\n".join(parts) + TAIL


def _class(node: ast.ClassDef, module: str) -> str:
    bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) in MIRRORED]
    lines = [f"class {node.name}{'(' + ', '.join(bases) + ')' if bases else ''}:", f'    """{_doc(node, 1)}"""', ""]
    kind = f"_{module}.{node.name}"
    lines += [f"    _it: {kind}", ""] if bases else []
    lines.append(f"    def __init__(self, portal: Portal, it: {kind}) -> None:")
    lines.append(
        "        super().__init__(portal, it)\n" if bases else "        self._portal = portal\n        self._it = it\n"
    )
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and _is_public(method):
            lines.append(_method(method))
    return "\n".join(lines)


def _is_public(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return method.name in ("__str__", "__repr__") or (not method.name.startswith("_") and method.name not in INNER)


def _doc(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> str:
    said = (ast.get_docstring(node) or "").replace("await ", "")
    pad = "\n" + "    " * depth
    return pad.join(said.split("\n")).replace(pad + "\n", "\n\n") + (pad if "\n" in said else "")


def _method(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    head = [f"    @{ast.unparse(one)}" for one in method.decorator_list]
    given = _given(method.args)
    is_property = "    @property" in head
    call = f"self._it.{method.name}" + ("" if is_property else f"({given})")
    if method.name in ("__str__", "__repr__"):
        call = f"{method.name.strip('_')}(self._it)"
    if isinstance(method, ast.AsyncFunctionDef):
        call = f"self._portal.run({call})"
    returns = ast.unparse(method.returns) if method.returns else "None"
    body = f"{returns}(self._portal, {call})" if returns in MIRRORED else call
    body = f"return {body}" if returns != "None" else body
    lines = [*head, f"    def {method.name}({ast.unparse(method.args)}) -> {returns}:"]
    if ast.get_docstring(method):
        lines.append(f'        """{_doc(method, 2)}"""')
    return "\n".join([*lines, f"        {body}", ""])


def _given(args: ast.arguments) -> str:
    """The arguments handed on as they came; of a sync object the async one behind it."""
    given = [_inner(arg) for arg in args.args[1:]]
    if args.vararg:
        given.append(f"*{args.vararg.arg}")
    return ", ".join([*given, *(f"{arg.arg}={_inner(arg)}" for arg in args.kwonlyargs)])


def _inner(arg: ast.arg) -> str:
    kinds = set(ast.unparse(arg.annotation).split(" | ")) & MIRRORED if arg.annotation else set()
    return f"{arg.arg}._it if isinstance({arg.arg}, {kinds.pop()}) else {arg.arg}" if kinds else arg.arg


def formatted(source: str) -> str:
    """As the project's own formatter has it."""
    ruff = Path(sys.executable).with_name("ruff")
    shape = ["format", "--stdin-filename", str(TARGET), "-"]
    for command in (shape, ["check", "--fix", "--quiet", "--stdin-filename", str(TARGET), "-"], shape):
        source = subprocess.run([ruff, *command], input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    return source


def main() -> int:
    """Write the file; with ``--check`` tell whether it is as it would be written."""
    source = formatted(mirrored())
    if "--check" in sys.argv:
        same = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == source
        print("the sync face mirrors the async one" if same else "run: scripts/mirror_sync.py")
        return 0 if same else 1
    TARGET.write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
