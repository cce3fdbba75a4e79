"""What a desktop is to be like, as it is typed: understood, or refused before anything is started or changed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from deskhand import isolation
from deskhand.cli import desktop as command
from deskhand.cli import driving
from deskhand.isolation import Arrangement
from deskhand.isolation.limits import LEAST_MB
from deskhand.types.errors import DeskhandError


class Wished:
    """Stands where desktops are started and resized; ``wish`` is the last that was asked for."""

    name = "work"

    def __init__(self, *sizes: tuple[int, int], primary: int = 1) -> None:
        self.record = SimpleNamespace(monitors=Arrangement.of(*sizes, primary=primary))
        self.wish: Any = None

    async def start(self, name: str, size: tuple[int, int], home: str, **more: Any) -> Wished:
        self.wish = {"size": size, **more}
        return self

    async def resize(self, wanted: Arrangement) -> None:
        self.wish = wanted


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Wished:
    """Runs already, with two monitors, the right one primary."""
    made = Wished((1024, 768), (1280, 1024), primary=2)
    monkeypatch.setattr(isolation, "start", made.start)
    monkeypatch.setattr(command, "_running", lambda name: made)
    monkeypatch.setattr(command, "_line", lambda desktop: "made")
    return made


def said(*words: str) -> str:
    return CliRunner().invoke(command.app, list(words)).output


@pytest.mark.proves("D1")
@pytest.mark.parametrize(
    ("words", "sizes", "primary"),
    [
        (["1200x900"], [(1200, 900)], 1),
        (["--monitors", "3"], [(1024, 768), (1280, 1024), (1280, 1024)], 2),
        (["--monitors", "1"], [(1024, 768)], 1),
        (["1200x900", "--monitors", "2"], [(1200, 900)] * 2, 2),
        (["--monitors", "800x600,900x700", "--primary", "1"], [(800, 600), (900, 700)], 1),
    ],
)
def test_monitors_are_as_they_were_where_nothing_else_is_said(
    desk: Wished, words: list[str], sizes: list[tuple[int, int]], primary: int
) -> None:
    assert said("resize", "work", *words) == "made\n"
    assert desk.wish == Arrangement.of(*sizes, primary=primary)


@pytest.mark.proves("D1")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["resize", "work"], "tell the new size, for example 1920x1080, or --monitors"),
        (["resize", "work", "1200x900", "--monitors", "800x600,800x600"], "leave 1200x900 out"),
        (["start", "work", "--size", "1000x1000", "--monitors", "800x600"], "leave 1000x1000 out"),
        (["start", "work", "--monitors", "two"], "--monitors is a number, or sizes from the left, for example"),
        (["start", "work", "--size", "wide"], 'a size is WIDTHxHEIGHT, for example 1280x1024; "wide" is not'),
        (["start", "work", "--primary", "2"], "--primary needs --monitors"),
        (["start", "work", "--memory", "lots"], "--memory is a number of MB such as 2000, or 2GB; 0 for no limit"),
    ],
)
def test_what_contradicts_itself_or_says_nothing_is_refused(desk: Wished, words: list[str], complaint: str) -> None:
    assert complaint in said(*words)
    assert desk.wish is None


@pytest.mark.parametrize(
    ("text", "megabytes"), [("2000", 2000), ("2GB", 2048), ("1.5g", 1536), ("700 MB", 700), ("0", 0)]
)
def test_memory_is_said_in_megabytes_or_with_its_unit(desk: Wished, text: str, megabytes: int) -> None:
    assert said("start", "work", "--memory", text) == "made\n"
    assert desk.wish["memory_mb"] == megabytes


async def test_a_desktop_that_could_not_start_under_its_limit_is_not_tried() -> None:
    with pytest.raises(DeskhandError, match="10 MB are too few") as refused:
        await isolation.start("work", memory_mb=10)
    assert refused.value.code == "invalid_request"
    assert str(LEAST_MB) in refused.value.message


@pytest.mark.parametrize(
    ("running", "named", "told"),
    [
        (["a", "b"], None, "started desktop default; also running: a, b; name one with --desktop\n"),
        (["a", "default"], None, ""),
        ([], None, ""),
        (["a"], "default", ""),
    ],
)
def test_a_desktop_that_nobody_named_is_not_started_beside_others_unsaid(
    running: list[str],
    named: str | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Remote:
        async def close(self) -> None:
            """Nothing is open."""

    async def obtain(name: str, **_: Any) -> Any:
        return SimpleNamespace(name=name, folder="/nowhere")

    async def reach(place: Any, hello: Any) -> Remote:
        return Remote()

    async def work(remote: Any) -> str:
        return "done"

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(isolation, "list_desktops", lambda: [SimpleNamespace(name=name) for name in running])
    monkeypatch.setattr(isolation, "obtain", obtain)
    monkeypatch.setattr(driving, "reach", reach)
    assert driving.drive(named, "observe", work) == "done"
    assert capsys.readouterr().err == told
