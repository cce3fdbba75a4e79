"""Steps as a person types them, and what they mean."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from deskhand.cli.act import hinted
from deskhand.cli.stepwords import parse, read_steps
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from deskhand.types.steps import Step
from tests.contract.sessions import Session

SAID: dict[str, dict[str, object] | None] = {
    "press r5": {"on": "r5"},
    "press Save": {"on": {"name": "Save"}},
    'press "Save As…"': {"on": {"name": "Save As…"}},
    'press "r5"': {"on": {"name": "r5"}},
    "press :r5": {"on": {"name": "r5"}},
    "press button:Save": {"on": {"role": "button", "name": "Save"}},
    'press button:"Save As…"': {"on": {"role": "button", "name": "Save As…"}},
    "press button:": {"on": {"role": "button"}},
    'press "note: this"': {"on": {"name": "note: this"}},
    'press {"role": "button", "nth": 2} route=pointer': {"on": {"role": "button", "nth": 2}, "route": "pointer"},
    "click r5 count=2 mods=ctrl+shift": {"on": "r5", "count": "2", "mods": "ctrl+shift"},
    'set r7 "two words"': {"on": "r7", "value": "two words"},
    "set r7 'as \\n it stands'": {"on": "r7", "value": "as \\n it stands"},
    r'set r7 "line\nline"': {"on": "r7", "value": "line\nline"},
    "set r7 007": {"on": "r7", "value": "007"},
    "set r70[B7] 42": {"on": "r70[B7]", "value": "42"},
    "set r7 count=3x": None,
    'set r7 "count=3"': {"on": "r7", "value": "count=3"},
    "set r7 x=3": {"on": "r7", "value": "x=3"},
    'set r7 ""': {"on": "r7", "value": ""},
    "type hello on=r5": {"value": "hello", "on": "r5"},
    "key ctrl+s": {"keys": "ctrl+s"},
    'select r5 "First item" Second': {"on": "r5", "items": ["First item", "Second"]},
    "select r70 range=B2:D9": {"on": "r70", "range": "B2:D9"},
    "select r7 range=0,5": {"on": "r7", "range": [0, 5]},
    "scroll r5 bottom": {"on": "r5", "to": "bottom"},
    "scroll r5 by=0,-120": {"on": "r5", "by": [0, -120]},
    "drag r5 r6": {"on": "r5", "to": "r6"},
    "drag r5 -10,20": {"on": "r5", "to": [-10, 20]},
    'menu File "Save As…" in=w3': {"path": ["File", "Save As…"], "in": "w3"},
    "invoke r5 expand": {"on": "r5", "action": "expand"},
    "window close w3": {"op": "close", "on": "w3"},
    'window move "My notes" 0,0,800,600': {"op": "move", "on": "My notes", "rect": [0, 0, 800, 600]},
    "clipboard read": {"op": "read"},
    'clipboard write "a b"': {"op": "write", "value": "a b"},
    "open mousepad": {"app": "mousepad"},
    "open GNOME Text Editor": {"app": "GNOME Text Editor"},
    "open https://example.org/a": {"url": "https://example.org/a"},
    "open mousepad /tmp/a.txt": {"app": "mousepad", "file": "/tmp/a.txt"},
    'wait window "Save As"': {"for": "window", "on": "Save As"},
    "wait gone button:Save timeout=3": {"for": "gone", "on": {"role": "button", "name": "Save"}, "timeout": "3"},
    "wait value r7 true": {"for": "value", "on": "r7", "is": True},
    "wait settled": {"for": "settled"},
    'press r5 expect={"for": "window", "on": "Print"}': {"on": "r5", "expect": {"for": "window", "on": "Print"}},
}


@pytest.mark.proves("A5")
@pytest.mark.parametrize("text", [text for text, meaning in SAID.items() if meaning is not None])
def test_words_mean_one_step_that_the_contract_takes(text: str) -> None:
    step = parse(text)
    assert step == {"do": text.split(maxsplit=1)[0], **(SAID[text] or {})}
    Step.model_validate(step)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set r7 two words", '"words" is too much; write: set ON VALUE, and quote what has blanks'),
        ("pres r5", '"pres" is no verb; there are press, click'),
        ('set r7 "open end', "is a quote or bracket not closed?"),
        ("set r7 'open end", "a single quote is not closed"),
        ("drag r5 Somewhere", "write a ref such as r12, x,y, or top, bottom, view"),
        ("", '"" is no verb'),
    ],
)
def test_what_is_no_step_says_what_to_write(text: str, said: str) -> None:
    with pytest.raises(DeskhandError) as caught:
        parse(text)
    assert caught.value.code == "invalid_request"
    assert said in caught.value.message


def test_one_step_alone_needs_no_quotes_around_it() -> None:
    nothing = io.StringIO()
    assert read_steps(["press", "r5"], nothing) == [parse("press r5")]
    assert read_steps(["press", "Save As…"], nothing) == [parse('press "Save As…"')]
    assert read_steps(["press", "button:Save As…"], nothing) == [parse('press button:"Save As…"')]
    assert read_steps(["set", "r7", "two words"], nothing) == [parse('set r7 "two words"')]
    assert read_steps(["menu", "File", "Save As…"], nothing) == [parse('menu File "Save As…"')]
    assert read_steps(["press", '{"name": "x"}'], nothing) == [{"do": "press", "on": {"name": "x"}}]
    assert read_steps(["fill", "r7", "x"], nothing) == [parse("set r7 x")]


def test_steps_come_from_arguments_stdin_and_files_as_words_and_as_json(tmp_path: Path) -> None:
    steps = [{"do": "press", "on": "r5"}, {"do": "key", "keys": "ctrl+s"}]
    lines = "# save it\npress r5\n\nkey ctrl+s\n"
    (tmp_path / "steps").write_text(lines)
    (tmp_path / "request").write_text(json.dumps({"steps": steps}))
    for arguments in (
        ["press r5", "key ctrl+s"],
        [json.dumps(steps)],
        [json.dumps(steps[0]), "key ctrl+s"],
        [f"@{tmp_path / 'steps'}"],
        [f"@{tmp_path / 'request'}"],
        ["-"],
    ):
        assert read_steps(arguments, io.StringIO(lines)) == steps, arguments


@pytest.mark.parametrize("text", ["[1]", "{", '{"steps": 3}', "@/nonexistent"])
def test_broken_json_and_missing_files_are_one_line(text: str) -> None:
    with pytest.raises(DeskhandError) as caught:
        read_steps([text], io.StringIO())
    assert caught.value.code == "invalid_request"
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ('set textbox "x"', '"textbox" was read as an element\'s name: write textbox: for any textbox'),
        ('set textbox: "x"', ""),
        ('set Name "x"', ""),
        ("press button:Save", ""),
    ],
)
async def test_a_name_that_is_a_roles_is_hinted_at_where_nothing_is_called_so(said: str, hint: str) -> None:
    session = Session(FakePlatform(fake.window("Editor", fake.checkbox("Wrap"))))
    request = ActRequest.model_validate({"steps": [parse(said)]})
    failure = (await session.desktop.act(request)).failure
    assert failure is not None
    assert failure.code == "not_found"
    told = hinted(failure, request).message.removeprefix(failure.message)
    assert told.startswith(f"; {hint}" if hint else "")
    assert bool(told) == bool(hint)
