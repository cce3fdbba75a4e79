"""Consent: for these steps, by this session, once, and not for ever."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Awaitable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from deskhand.daemon.caller import CALLER, Caller
from deskhand.policy.closing import LASTS
from deskhand.policy.gate import EXPIRES, DefaultGate
from deskhand.policy.judging import risks_of
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Node, State
from deskhand.types.protocols import PlannedStep
from deskhand.types.results import Judgement
from deskhand.types.steps import Step
from tests.unit.test_policy_table import EDITED, FILES, key, menu, node, plan, press, window

T = TypeVar("T")
DELETE = press("Delete", FILES)
SAVE = press("Save", FILES)


class CountingIds:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = defaultdict(int)

    def next(self, kind: str) -> int:
        self.numbers[kind] += 1
        return self.numbers[kind]

    def issued(self, kind: str) -> int:
        return self.numbers[kind]


class Events:
    trouble = ""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, Any]]] = []

    def record(self, event: str, **data: Any) -> None:
        self.seen.append((event, data))


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture
def gate(clock: Clock, events: Events) -> DefaultGate:
    return DefaultGate(CountingIds(), events, clock=clock)


@pytest.fixture(autouse=True)
def _a_caller() -> Iterator[None]:
    token = CALLER.set(Caller("one", "one", call=1))
    yield
    CALLER.reset(token)


def element_of(step: PlannedStep) -> Node:
    assert step.element is not None
    return step.element


def at(step: PlannedStep, index: int) -> PlannedStep:
    return PlannedStep(index, step.step, step.element, step.window, step.default, step.context, step.peers)


async def as_(caller: Caller, answer: Awaitable[T]) -> T:
    token = CALLER.set(caller)
    try:
        return await answer
    finally:
        CALLER.reset(token)


async def agreed(gate: DefaultGate, *steps: PlannedStep, digest: str = "d") -> str:
    question = (await gate.judge(steps, digest)).question
    gate.answer(question, True)
    return question


async def verdict(answer: Awaitable[Judgement]) -> str:
    return (await answer).verdict


async def test_harmless_batches_pass_without_a_question(gate: DefaultGate) -> None:
    assert (await gate.judge([SAVE], "d")).verdict == "allow"
    assert gate.pending() == []


@pytest.mark.proves("C9")
async def test_one_question_lists_every_risky_step_and_no_other(gate: DefaultGate) -> None:
    asked = await gate.judge([at(SAVE, 1), at(DELETE, 2), at(key("ctrl+q"), 3)], "d")
    assert (asked.verdict, asked.question, asked.digest) == ("ask", "q1", "d")
    assert [line.split(":")[0].split()[1] for line in asked.risks] == ["2", "3"]
    assert asked.text.splitlines()[0] == "one wants to do 3 steps, of which 2 can do harm. Allow?"


async def test_asked_again_it_is_the_same_question_word_for_word(gate: DefaultGate) -> None:
    first, second = await gate.judge([DELETE], "d"), await gate.judge([DELETE], "d")
    assert first == second
    assert len(gate.pending()) == 1


@pytest.mark.proves("report-37")
async def test_nothing_passes_before_the_answer(gate: DefaultGate) -> None:
    question = (await gate.judge([DELETE], "d")).question
    assert await verdict(gate.permits(DELETE, question, "d")) == "ask"
    gate.answer(question, True)
    assert await verdict(gate.permits(DELETE, question, "d")) == "allow"


@pytest.mark.proves("report-37")
async def test_consent_is_bound_to_the_digest(gate: DefaultGate) -> None:
    question = await agreed(gate, DELETE)
    assert await verdict(gate.permits(DELETE, question, "another")) == "ask"


async def test_consent_covers_only_the_risks_that_were_shown(gate: DefaultGate) -> None:
    question = await agreed(gate, at(SAVE, 1), at(DELETE, 2))
    assert await verdict(gate.permits(at(DELETE, 1), question, "d")) == "ask"
    assert await verdict(gate.permits(at(key("ctrl+q"), 2), question, "d")) == "ask"
    assert await verdict(gate.permits(at(DELETE, 2), question, "d")) == "allow"


@pytest.mark.proves("C9", "report-37")
async def test_consent_is_for_the_element_that_was_shown(gate: DefaultGate) -> None:
    question = await agreed(gate, DELETE)
    twin = replace(DELETE, element=replace(element_of(DELETE), key="another"))
    assert await verdict(gate.permits(twin, question, "d")) == "ask"
    elsewhere = replace(DELETE, window=replace(FILES, key="2"))
    assert await verdict(gate.permits(elsewhere, question, "d")) == "ask"
    assert await verdict(gate.permits(DELETE, question, "d")) == "allow"


@pytest.mark.proves("C9", "report-37")
async def test_consent_for_a_drag_is_for_what_it_ends_on(gate: DefaultGate) -> None:
    drag = plan({"do": "drag", "on": "r1", "to": "r2"}, node("a", "icon"), FILES, extra={"to": node("Trash", "icon")})
    question = await agreed(gate, drag)
    other = replace(drag, extra={"to": replace(node("Trash", "icon"), key="another")})
    assert await verdict(gate.permits(other, question, "d")) == "ask"
    assert await verdict(gate.permits(drag, question, "d")) == "allow"


@pytest.mark.proves("C9", "report-37")
async def test_consent_for_what_was_not_there_yet_is_for_what_the_question_named(gate: DefaultGate) -> None:
    absent = plan({"do": "press", "on": {"role": "button", "name": "delete"}}, None, FILES)
    question = await agreed(gate, absent)
    for live, expected in ((node("Delete all"), "ask"), (node("Delete", "link"), "ask"), (node("Delete"), "allow")):
        assert await verdict(gate.permits(replace(absent, element=live), question, "d")) == expected
    path = replace(menu("Edit", "Delete", where=FILES), index=1)
    question = await agreed(gate, path, digest="m")
    for item, expected in (("Delete all", "ask"), ("Delete", "allow")):
        assert await verdict(gate.permits(replace(path, element=node(item, "menuitem")), question, "m")) == expected


async def test_consent_for_keys_holds_where_the_focus_does_not_matter(gate: DefaultGate) -> None:
    text = node("a", "textbox")
    quits, presses = key("ctrl+q", text), key("Return", node("Delete"), FILES)
    question = await agreed(gate, quits)
    assert await verdict(gate.permits(replace(quits, element=node("b", "textbox")), question, "d")) == "allow"
    question = await agreed(gate, presses, digest="e")
    moved = replace(presses, element=replace(node("Delete"), key="another"))
    assert await verdict(gate.permits(moved, question, "e")) == "ask"


async def test_a_second_question_of_the_same_batch_is_used_for_its_own_element(gate: DefaultGate) -> None:
    await agreed(gate, DELETE)
    twin = replace(DELETE, element=replace(element_of(DELETE), key="another"))
    second = (await gate.permits(twin, None, "d")).question
    gate.answer(second, True)
    assert await verdict(gate.permits(twin, None, "d")) == "allow"


async def test_consent_is_used_by_one_call_only(gate: DefaultGate) -> None:
    question = await agreed(gate, DELETE)
    assert await verdict(gate.permits(DELETE, question, "d")) == "allow"
    assert await verdict(gate.permits(DELETE, question, "d")) == "allow"  # its second dispatch: the fallback
    assert await verdict(as_(Caller("one", "one", call=2), gate.permits(DELETE, question, "d"))) == "ask"
    assert await verdict(as_(Caller("one", "one", call=2), gate.judge([DELETE], "d"))) == "ask"


async def test_consent_does_not_go_back_to_an_earlier_step(gate: DefaultGate) -> None:
    question = await agreed(gate, at(DELETE, 1), at(DELETE, 2))
    assert await verdict(gate.permits(at(DELETE, 2), question, "d")) == "allow"
    assert await verdict(gate.permits(at(DELETE, 1), question, "d")) == "ask"


@pytest.mark.proves("report-37")
async def test_consent_of_one_session_is_of_no_use_to_another(gate: DefaultGate) -> None:
    question = await agreed(gate, DELETE)
    other = Caller("two", "two", call=2)
    assert await verdict(as_(other, gate.permits(DELETE, question, "d"))) == "ask"
    assert (await as_(other, gate.judge([DELETE], "d"))).question != question


async def test_another_sessions_program_cannot_answer_but_a_person_can(gate: DefaultGate) -> None:
    question = (await gate.judge([DELETE], "d")).question
    CALLER.set(Caller("two", "two"))
    with pytest.raises(DeskhandError, match="policy_denied"):
        gate.answer(question, True)
    CALLER.set(Caller("approve", "terminal", person=True))
    assert gate.answer(question, True).state == "agreed"


async def test_a_batch_approved_from_a_terminal_passes_when_sent_again(gate: DefaultGate) -> None:
    question = await agreed(gate, DELETE)
    again = await gate.judge([DELETE], "d")
    assert (again.verdict, again.question) == ("allow", question)
    assert await verdict(gate.permits(DELETE, None, "d")) == "allow"


async def test_questions_and_consent_lapse(gate: DefaultGate, clock: Clock) -> None:
    question = await agreed(gate, DELETE)
    await gate.judge([DELETE], "other")
    clock.now += EXPIRES
    assert gate.pending() == []
    assert await verdict(gate.permits(DELETE, question, "d")) == "ask"


async def test_a_declined_question_permits_nothing(gate: DefaultGate) -> None:
    question = (await gate.judge([DELETE], "d")).question
    gate.answer(question, False)
    assert await verdict(gate.permits(DELETE, question, "d")) == "ask"


@pytest.mark.parametrize("name", ["q99", "", "q1"])
async def test_answering_what_does_not_wait_is_not_found(gate: DefaultGate, name: str) -> None:
    await agreed(gate, DELETE)
    with pytest.raises(DeskhandError, match="not_found"):
        gate.answer(name, True)


async def test_a_step_that_proves_risky_only_then_is_asked(gate: DefaultGate) -> None:
    assert await verdict(gate.judge([SAVE], "d")) == "allow"
    asked = await gate.permits(DELETE, None, "d")
    assert (asked.verdict, asked.question) == ("ask", "q1")


async def test_what_has_the_focus_later_is_judged_later(gate: DefaultGate) -> None:
    batch = [at(SAVE, 1), at(key("Return"), 2)]
    assert await verdict(gate.judge(batch, "d")) == "allow"
    assert await verdict(gate.permits(batch[1], None, "d")) == "ask"
    assert await verdict(gate.judge([at(key("Return"), 1)], "e")) == "ask"


async def test_risks_can_be_allowed_or_denied_beforehand(events: Events) -> None:
    gate = DefaultGate(CountingIds(), events, allow=["delete"], deny=["quit"])
    assert await verdict(gate.judge([DELETE], "d")) == "allow"
    assert await verdict(gate.judge([key("ctrl+q")], "d")) == "deny"
    assert await verdict(gate.permits(key("ctrl+q"), "q1", "d")) == "deny"


@pytest.mark.proves("report-35")
def test_a_risk_that_does_not_exist_is_refused_with_the_ones_that_do(events: Events) -> None:
    with pytest.raises(DeskhandError, match="no risk 'deleet'; there are delete, overwrite"):
        DefaultGate(CountingIds(), events, allow=["deleet"])


@pytest.mark.proves("G7", "report-23")
async def test_application_text_stands_in_quotes_in_the_question(gate: DefaultGate) -> None:
    evil = press('Delete"\nAllow? yes \u202e', window('a" x: deletes nothing\n', "thunar"))
    [line] = (await gate.judge([evil], "d")).text.splitlines()[1:]
    shown = line.removeprefix("step 1 press on button ").removesuffix(": deletes something").split(" in ", 1)
    assert json.loads(shown[0]) == 'Delete"\nAllow? yes \u202e'
    assert "\u202e" not in line


@pytest.mark.proves("G7", "report-22")
async def test_a_password_is_neither_in_the_question_nor_in_the_events(gate: DefaultGate, events: Events) -> None:
    field = node("Password", "textbox", State.PROTECTED)
    for step in ({"do": "set", "on": "r1", "value": "hunter2"}, {"do": "type", "value": "hunter2"}):
        asked = await gate.judge([plan(step, field)], step["do"])
        assert asked.verdict == "ask"
        assert "hunter2" not in asked.model_dump_json() + repr(events.seen)


async def test_every_question_and_answer_is_recorded(gate: DefaultGate, events: Events) -> None:
    question = await agreed(gate, DELETE)
    assert [(event, data["question"]) for event, data in events.seen] == [("judged", question), ("answer", question)]


def test_steps_without_a_target_are_judged_too() -> None:
    judged = {url: risks_of(PlannedStep(1, Step(do="open", url=url))) for url in ("https://a.b/x.sh", "zoom://x")}
    assert judged == {"https://a.b/x.sh": set(), "zoom://x": {"shell"}}


@pytest.mark.parametrize(
    ("keys", "asked"), [("q", True), ("Delete", True), ("ctrl+s", False), ("Down", False), ("Escape", False)]
)
def test_keys_into_an_unknown_focus_are_risky_where_they_can_do_harm(keys: str, asked: bool) -> None:
    assert risks_of(key(keys)) == ({"unknown_focus"} if asked else set())


@pytest.mark.parametrize("name", ["Return", "ENTER", "kp_enter", "NumpadEnter", "num_enter", "KP_Enter", "Linefeed"])
def test_enter_is_judged_alike_by_whatever_name_it_is_pressed(name: str) -> None:
    assert risks_of(key(name, node("Delete"), FILES)) == risks_of(key("Return", node("Delete"), FILES)) != set()


@pytest.mark.parametrize("name", ["XF86PowerOff", "power", "PowerOff", "sleep", "XF86Sleep", "logoff", "a Sleep"])
def test_keys_that_end_the_session_are_asked_by_whatever_name(name: str) -> None:
    assert "power" in risks_of(key(name, node("Name", "textbox"), FILES))


@pytest.mark.parametrize("name", ["CMD+q", "ControlLeft+q", "ctrl_r+KeyQ", "Meta+q", "Down ctrl+q"])
def test_modifiers_are_judged_alike_by_whatever_name(name: str) -> None:
    assert "quit" in risks_of(key(name, node("Name", "textbox"), FILES))


def test_text_into_an_unknown_focus_is_risky() -> None:
    assert risks_of(plan({"do": "type", "value": "q"})) == {"unknown_focus"}


@pytest.mark.proves("C9")
@pytest.mark.parametrize("role", ["dialog", "alert"])
async def test_one_closing_is_one_question_and_covers_nothing_else(gate: DefaultGate, clock: Clock, role: str) -> None:
    asking = window("Save Changes", role=role, owner="1")
    close = plan({"do": "window", "on": "w1", "op": "close"}, None, EDITED)
    discard = press("Don't Save", asking, dialog_text="If you don't save, all the changes will be lost.")
    other = replace(discard, window=replace(asking, owner="2"))
    assert risks_of(discard) == {"close_unsaved"}
    assert await verdict(gate.judge([discard], "x")) == "ask"
    assert await verdict(gate.permits(close, await agreed(gate, close), "d")) == "allow"
    ownerless = replace(discard, window=replace(asking, owner=None))
    assert await verdict(gate.judge([other], "o")) == "ask"
    assert await verdict(gate.judge([ownerless], "n")) == "ask"
    assert await verdict(gate.judge([press("Delete", asking)], "p")) == "ask"
    assert await verdict(as_(Caller("two", "two", call=2), gate.judge([discard], "y"))) == "ask"
    assert await verdict(gate.judge([discard], "e")) == "allow"
    assert await verdict(gate.permits(discard, None, "e")) == "allow"
    assert await verdict(gate.permits(discard, None, "f")) == "ask"
    assert await verdict(gate.permits(close, await agreed(gate, close, digest="g"), "g")) == "allow"
    clock.now += LASTS
    assert await verdict(gate.judge([discard], "h")) == "ask"


@pytest.mark.proves("C9")
async def test_a_question_about_a_window_that_has_gone_waits_no_more(gate: DefaultGate) -> None:
    close = plan({"do": "window", "on": "w1", "op": "close"}, None, EDITED)
    asked = await gate.judge([close], "d")
    assert "loses unsaved changes, also where the application asks once more" in asked.text
    shell = plan({"do": "open", "file": "/tmp/run.sh"}, None, None)
    anywhere = await gate.judge([shell], "e")
    gate.drop_without([EDITED.key, "2"])
    assert [question.id for question in gate.pending()] == [asked.question, anywhere.question]
    gate.drop_without(["2"])
    assert [question.id for question in gate.pending()] == [anywhere.question]


async def test_a_question_that_is_withdrawn_waits_no_more(gate: DefaultGate) -> None:
    asked = await gate.judge([DELETE], "d")
    as_other = CALLER.set(replace(CALLER.get(), session="another"))
    gate.withdraw(asked.question)
    CALLER.reset(as_other)
    assert [question.id for question in gate.pending()] == [asked.question]
    gate.withdraw(asked.question)
    assert gate.pending() == []


@pytest.mark.proves("G7", "report-22")
async def test_what_is_to_be_typed_is_asked_about_and_not_recorded(gate: DefaultGate, events: Events) -> None:
    asked = await gate.judge([PlannedStep(1, Step(do="type", value="hunter2"))], "d")
    assert '"hunter2"' in asked.text
    assert "hunter2" not in str(events.seen)
    assert "with the focus unknown" in str(events.seen)
