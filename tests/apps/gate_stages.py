"""Real applications in states in which a step can do harm, each with a witness of what it holds."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from deskhand.isolation import processes
from tests.apps.hands import Hands, eventually, launched, mousepad
from tests.programs import Running, running, zoo_gtk3, zoo_gtk4

Witness = Callable[[], Awaitable[Any]]
"""What the application holds now, as a comparable value."""
Stage = Callable[[Hands, Path], AbstractAsyncContextManager[Witness]]
KEPT = "what was there before\n"


def of(zoo: Running) -> Witness:
    async def look() -> Any:
        return {name: value for name, value in zoo.state.items() if name != "commands"}

    return look


def zoo_page(page: int) -> Stage:
    """The GTK3 zoo with one of its pages in front."""

    @asynccontextmanager
    async def stage(own: Hands, folder: Path) -> AsyncIterator[Witness]:
        async with running(zoo_gtk3("Zoo"), own.environment, folder / "zoo") as zoo:
            await own.window("Zoo")
            await zoo.command(f"page {page}")
            yield of(zoo)

    return stage


@asynccontextmanager
async def gtk4(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """The GTK4 zoo."""
    async with running(zoo_gtk4("Zoo"), own.environment, folder / "zoo") as zoo:
        await own.window("Zoo")
        yield of(zoo)


def prompt(button: str, answer: str) -> Stage:
    """A question of the GTK3 zoo, opened by its button; ``answer`` is one of the buttons in it."""

    @asynccontextmanager
    async def stage(own: Hands, folder: Path) -> AsyncIterator[Witness]:
        async with running(zoo_gtk3("Zoo"), own.environment, folder / "zoo") as zoo:
            await own.window("Zoo")
            await zoo.command("page 3")
            await own.done({"do": "press", "on": await own.ref(button)})
            await own.ref(answer)
            yield of(zoo)

    return stage


async def facts(own: Hands, pid: int, *files: Path) -> Any:
    """Whether the program lives, which windows there are, what they hold, what stands in the files."""
    windows = (await own.apps()).windows
    views = [await own.observe(window.ref) for window in windows if window.responsive]
    held = [[(e.role, e.name, e.value) for e in view.elements] for view in views]
    texts = [file.read_text(encoding="utf-8") for file in files]
    return pid in processes.carrying(own.desktop.record.wish.token), [w.title for w in windows], held, texts


def witness(own: Hands, pid: int, *files: Path) -> Witness:
    async def look() -> Any:
        return await facts(own, pid, *files)

    return look


@asynccontextmanager
async def changed_text(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """Mousepad with a file that was changed and not saved."""
    file = folder / "kept.txt"
    file.write_text(KEPT, encoding="utf-8")
    async with mousepad(own, str(file)) as pid:
        await own.window("kept.txt")
        await own.done({"do": "type", "value": "more "})
        await own.window("*")
        yield witness(own, pid, file)


@asynccontextmanager
async def asked_to_save(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """Mousepad asking whether to save."""
    async with changed_text(own, folder) as look:
        await own.platform.press_chord("ctrl+w")
        await own.window("Save Changes")
        yield look


@asynccontextmanager
async def unchanged_text(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """Mousepad with a file that is as it is on the disk."""
    file = folder / "kept.txt"
    file.write_text(KEPT, encoding="utf-8")
    async with mousepad(own, str(file)) as pid:
        await own.window("kept.txt")
        yield witness(own, pid, file)


@asynccontextmanager
async def overwriting(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """The GTK file dialog asking whether to replace a file."""
    file = folder / "precious.txt"
    file.write_text(KEPT, encoding="utf-8")
    async with mousepad(own) as pid:
        await own.window("Untitled")
        await own.done({"do": "type", "value": "new"}, {"do": "menu", "path": ["File", "Save As…"]})
        await own.window("Save As")
        await own.done({"do": "set", "on": {"role": "textbox", "name": "Name"}, "value": str(file)})
        await own.done({"do": "press", "on": {"role": "button", "name": "Save"}})
        await own.ref("Replace")
        yield witness(own, pid, file)


@asynccontextmanager
async def sheet(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """LibreOffice Calc with a changed sheet."""
    async with launched(own, *office(folder)) as pid:
        await own.window("Calc")
        await own.done({"do": "type", "value": "5\n"})
        yield witness(own, pid)


@asynccontextmanager
async def asked_to_save_sheet(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """LibreOffice asking whether to save."""
    async with sheet(own, folder) as look:
        await own.platform.press_chord("ctrl+w")
        await own.window("Save Document?")
        yield look


def office(folder: Path) -> tuple[str, ...]:
    """How LibreOffice is started with a profile of its own."""
    profile = f"-env:UserInstallation=file://{folder}/office"
    return "soffice", "--calc", "--norestore", "--nologo", profile


@asynccontextmanager
async def calculator(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """GNOME Calculator."""
    async with launched(own, "gnome-calculator") as pid:
        await own.window("Calculator")
        yield witness(own, pid)


@asynccontextmanager
async def shell(own: Hands, folder: Path) -> AsyncIterator[Witness]:
    """A terminal; what it runs is seen by the file that it makes."""
    made = folder / "made-by-the-shell"
    async with launched(own, "xterm", "-e", "sh"):
        await eventually(lambda: there(own, "sh"), "the terminal's window")

        async def look() -> Any:
            return made.exists(), [window.title for window in (await own.apps()).windows]

        yield look


async def there(own: Hands, title: str) -> bool:
    return any(window.title == title and window.active for window in (await own.apps()).windows)


def said(value: Any) -> str:
    """A witness's words, comparable and readable."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
