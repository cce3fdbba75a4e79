"""on_failure: undo: what can be put back is, last first, each verified; the rest is named with why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from deskhand.desktop.act import aspects
from deskhand.desktop.act.aspects import Aspect
from deskhand.desktop.act.undoing import UNSHOWN, Memories, Memory
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.geometry import Rect
from deskhand.types.protocols import PlannedStep
from deskhand.types.results import ActResult, Judgement
from deskhand.types.steps import Step
from tests.contract.sessions import OpenGate, Session

FAILS = {"do": "press", "on": {"role": "button", "name": "Nowhere"}}
Steps = list[Mapping[str, Any]]


def desk() -> FakePlatform:
    """One of everything that can be put back."""
    form = fake.window(
        "Form", fake.textbox("Name", "old"), fake.textarea("Notes", "x" * 3000), fake.password("Password", "hunter2"),
        fake.checkbox("Wrap", on=True), fake.spin("Copies", 3, 1, 99), fake.combobox("Font", ["Sans", "Serif"], "Sans"),
        fake.group("Size", fake.radio("Small", on=True), fake.radio("Large"), role="radiogroup"),
        fake.tree("Places", fake.treeitem("Home", fake.treeitem("Docs"))), fake.button("Save"),
        fake.listbox("Fruit", ["Apple", "Pear"]), at=Rect(0, 0, 640, 900),
    )  # fmt: skip
    platform = FakePlatform(form, app="form")
    platform.add(fake.window("Sheet", fake.spreadsheet("Stock", {(0, 0): "Name"}), at=Rect(640, 0, 640, 600)))
    platform.world.activate(form)
    return platform


def on(name: str, role: str = "textbox") -> dict[str, str]:
    return {"role": role, "name": name, "in": "Form"}


async def undone(session: Session, *steps: Mapping[str, Any]) -> ActResult:
    result = await session.act(*steps, FAILS, on_failure="undo")
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert result.done == len(steps)
    return result


REVERSIBLE: dict[str, Steps] = {
    "set": [{"do": "set", "on": on("Name"), "value": "new"}],
    "append": [{"do": "append", "on": on("Name"), "value": "er"}],
    "type": [{"do": "type", "on": on("Name"), "value": "!"}],
    "long text": [{"do": "append", "on": on("Notes"), "value": "y"}],
    "number": [{"do": "set", "on": on("Copies", "spinbutton"), "value": 7}],
    "choice": [{"do": "set", "on": on("Font", "combobox"), "value": "Serif"}],
    "items": [{"do": "select", "on": on("Font", "combobox"), "items": ["Serif"]}],
    "uncheck": [{"do": "uncheck", "on": on("Wrap", "checkbox")}],
    "press": [{"do": "press", "on": on("Wrap", "checkbox")}],
    "radio": [{"do": "check", "on": on("Large", "radio")}],
    "expand": [{"do": "expand", "on": on("Home", "treeitem")}],
    "range": [{"do": "select", "on": on("Name"), "range": [1, 3]}],
    "minimise": [{"do": "window", "on": "Sheet", "op": "minimise"}],
    "activate": [{"do": "window", "on": "Sheet", "op": "activate"}],
    "maximise": [{"do": "window", "on": "Form", "op": "maximise"}],
    "move": [{"do": "window", "on": "Form", "op": "move", "rect": [10, 20, 640, 900]}],
    "resize": [{"do": "window", "on": "Form", "op": "resize", "rect": [0, 0, 600, 800]}],
    "clipboard": [{"do": "clipboard", "op": "write", "value": "new"}],
    "twice": [
        {"do": "set", "on": on("Name"), "value": "one"}, {"do": "set", "on": on("Name"), "value": "two"},
        {"do": "uncheck", "on": on("Wrap", "checkbox")},
    ],
}  # fmt: skip


async def state(session: Session) -> list[Any]:
    """What the desktop holds, without what has the focus."""
    view = await session.observe(target="Form", budget=50_000)
    held = [(e.name, e.value, [s for s in e.states if s != "focused"]) for e in view.elements]
    windows = [(w.title, w.bounds, w.minimised, w.active) for w in await session.platform.windows()]
    return [held, sorted(windows), await session.platform.read_clipboard()]


@pytest.mark.proves("A7")
@pytest.mark.parametrize("steps", REVERSIBLE.values(), ids=REVERSIBLE)
async def test_a_step_that_can_be_undone_is(steps: Steps) -> None:
    session = Session(desk())
    await session.platform.write_clipboard("before")
    was = await state(session)

    result = await undone(session, *steps)

    assert result.undoing is not None
    assert result.undoing.left == [], result.text
    assert len(result.undoing.effects) == result.undoing.of == len(steps), result.text
    assert {effect.verdict for effect in result.undoing.effects} == {"verified"}
    assert [effect.step for effect in result.undoing.effects] == list(range(len(steps), 0, -1))
    assert await state(session) == was


async def test_a_cell_gets_back_what_it_held() -> None:
    session = Session(desk())
    await session.act({"do": "window", "on": "Sheet", "op": "activate"})
    sheet = await session.ref("Stock")

    result = await undone(session, {"do": "set", "on": f"{sheet}[A1]", "value": "Other"})

    assert result.undoing is not None
    assert result.undoing.left == [], result.text
    assert '1 "Name"' in (await session.observe(target="Sheet")).text


async def test_what_cannot_be_undone_is_named_with_why() -> None:
    session = Session(desk())
    steps: Steps = [
        {"do": "set", "on": on("Name"), "value": "new"},
        {"do": "press", "on": on("Save", "button")},
        {"do": "set", "on": on("Password"), "value": "other"},
        {"do": "select", "on": on("Fruit", "listbox"), "items": ["Pear"]},
        {"do": "hover", "on": on("Save", "button")},
    ]

    result = await undone(session, *steps)

    assert result.undoing is not None
    assert [left.step for left in result.undoing.left] == [4, 3, 2]
    assert "hunter2" not in result.text
    assert "a secret is not read" in result.undoing.left[1].why
    assert "nothing was selected before" in result.undoing.left[0].why


async def test_a_press_is_not_known_to_be_reversible() -> None:
    platform = desk()
    saved = fake.window("Other", fake.button("Save", on_press=lambda: note(platform)), fake.label("unsaved"))
    platform.add(saved)
    session = Session(platform)

    result = await session.act({"do": "press", "on": {"role": "button", "name": "Save"}}, FAILS, on_failure="undo")

    assert result.undoing is not None
    assert [left.why for left in result.undoing.left] == ["its effect is not known to be reversible"]
    line = next(line for line in result.text.splitlines() if line.startswith("undone"))
    assert line.startswith("undone 0 of 1; not undone: 1 press r")
    assert line.endswith('button "Save" (its effect is not known to be reversible)')


def note(platform: FakePlatform) -> None:
    platform.add(fake.window("Saved", fake.label("saved")))


async def test_nothing_is_put_back_onto_a_value_that_has_changed_since() -> None:
    platform = desk()
    session = Session(platform)
    box = next(w for window in platform.world.windows for w in window.root.walk() if w.name == "Name")

    def meddle() -> None:
        box.text = "by a person"

    result = await session.act(
        {"do": "set", "on": on("Name"), "value": "new"},
        {"do": "uncheck", "on": on("Wrap", "checkbox"), "expect": {"for": "settled"}},
        {"do": "wait", "for": "text", "on": on("Name"), "is": "never", "timeout": 0.05},
        on_failure="undo",
    )
    assert result.undoing is not None
    assert len(result.undoing.effects) == 2

    platform.faults.before("read_clipboard", meddle)
    result = await session.act(
        {"do": "set", "on": on("Name"), "value": "new"}, {"do": "clipboard", "op": "read"}, FAILS, on_failure="undo"
    )
    assert result.undoing is not None
    assert [left.why for left in result.undoing.left] == ["it has changed since"]
    assert box.text == "by a person"


async def test_a_step_that_failed_after_its_input_is_undone_too() -> None:
    form = fake.window("Form", fake.textbox("Code", "abc", rewrite=fake.at_most(4)))
    session = Session(FakePlatform(form))

    result = await session.act({"do": "set", "on": on("Code"), "value": "too long"}, on_failure="undo")

    assert result.failure is not None
    assert result.failure.code == "value_rejected"
    assert result.undoing is not None
    assert len(result.undoing.effects) == 1, result.text
    assert (await session.observe(target="Form")).text.endswith('textbox "Code" = "abc" focused')


async def test_without_being_asked_nothing_is_undone() -> None:
    session = Session(desk())
    result = await session.act({"do": "set", "on": on("Name"), "value": "new"}, FAILS)
    assert result.undoing is None
    assert 'textbox "Name" = "new"' in (await session.observe(target="Form")).text


async def test_a_batch_that_ends_well_undoes_nothing() -> None:
    session = Session(desk())
    result = await session.act({"do": "set", "on": on("Name"), "value": "new"}, on_failure="undo")
    assert result.failure is None
    assert result.undoing is None


class Careful(OpenGate):
    """Asks about whatever writes "old"."""

    async def permits(self, step: PlannedStep, consent: str | None, digest: str) -> Judgement:
        await super().permits(step, consent, digest)
        risky = step.step.value == "old"
        return Judgement(verdict="ask" if risky else "allow", question="q1" if risky else "", digest=digest)


@pytest.mark.proves("C9", "C11")
async def test_gate_and_recorder_see_the_undoing_steps() -> None:
    session = Session(desk())
    session.gate = Careful()
    session.near._engine._gate = session.gate

    result = await undone(
        session, {"do": "set", "on": on("Name"), "value": "new"}, {"do": "uncheck", "on": on("Wrap", "checkbox")}
    )

    assert result.undoing is not None
    assert [left.step for left in result.undoing.left] == [1]
    assert result.undoing.left[0].why.startswith("confirmation_required")
    assert session.gate.withdrawn == ["q1"]
    assert [p.step.do for p in session.gate.permitted] == ["set", "uncheck", "check", "set"]
    events = [name for name, _ in session.recorder.events]
    assert events.count("undo") == 2
    assert events.count("not undone") == 1


async def test_a_text_of_digits_is_not_put_back_as_a_number() -> None:
    session = Session(desk())
    await session.act({"do": "window", "on": "Sheet", "op": "activate"})
    ref = await session.ref("Stock")
    sheet = next(w.sheet for window in session.platform.world.windows for w in window.root.walk() if w.sheet)
    sheet.cells[0, 0] = "12"
    sheet.texts.add((0, 0))

    result = await undone(session, {"do": "set", "on": f"{ref}[A1]", "value": "Other"})

    assert result.undoing is not None
    assert [left.why for left in result.undoing.left] == ["it held a text that would come back as a number"]


CELLS: dict[str, tuple[tuple[str, str, float | None], str | None]] = {
    "formula": (("=A1*2", "8", 8.0), "=A1*2"),
    "rounded": (("", "3.14", 3.14159), "3.14159"),
    "whole": (("", "3", 3.0), "3"),
    "text": (("", "plain", 0.0), "plain"),
    "unknown": (("", "3.14", None), None),
    "text of a formula": (("", "=A1", 0.0), None),
}


@pytest.mark.parametrize(("held", "value"), CELLS.values(), ids=CELLS)
def test_a_cell_gets_back_all_its_digits_or_nothing(held: tuple[str, str, float | None], value: str | None) -> None:
    steps = aspects._cell_back("r1", *held)
    assert (steps if isinstance(steps, str) else steps[0].value) == value or (value is None and isinstance(steps, str))


async def test_what_was_verified_and_does_not_show_is_not_called_undone() -> None:
    memory = Memory(
        1, Step(do="set", on="r1", value="new"), aspect=Aspect("r1", still, lambda *_: "no"), before=1, why=""
    )
    memories = Memories([memory])
    await memories.finish("yes", "verified")
    assert (memory.aspect, memory.why) == (None, UNSHOWN)


async def still() -> int:
    return 1


async def test_a_step_that_cannot_be_written_is_left_and_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(desk())

    def back(ref: str) -> aspects.Back:
        return lambda old, _: [Step(do="set", on=ref, value=float("nan"))]

    monkeypatch.setattr(aspects, "_set_back", back)
    result = await undone(session, {"do": "set", "on": on("Name"), "value": "new"})
    assert result.undoing is not None
    assert [left.why for left in result.undoing.left] == ["no step can put back what was there"]


async def test_lines_of_a_documents_paragraph_are_not_put_back() -> None:
    paragraph = fake.textarea("", "one")
    paragraph.role = "paragraph"
    session = Session(FakePlatform(fake.window("Letter", paragraph)))
    [ref] = [e.ref for e in (await session.observe()).elements if e.role == "paragraph"]
    result = await session.act({"do": "type", "on": ref, "value": "a\nb"}, FAILS, on_failure="undo")
    assert result.undoing is not None
    assert [left.why for left in result.undoing.left] == ["its line breaks and tabs may have changed other paragraphs"]
