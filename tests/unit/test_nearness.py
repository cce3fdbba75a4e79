"""What is offered instead of a name that is not there is near it; what is not near is noise."""

from __future__ import annotations

from typing import cast

import pytest

from deskhand.desktop.semantics.matching import select, selector_words
from deskhand.desktop.semantics.outline import Item
from deskhand.library.link import Link
from deskhand.library.windows import Window
from deskhand.types.errors import DeskhandError
from deskhand.types.steps import Selector
from deskhand.types.words import likeness


@pytest.mark.parametrize(
    ("wanted", "said", "near"),
    [("Bald", "Bold", True), ("Bld", "Bold", True), ("Colse", "Close", True), ("file", "Profile", True),
     ("aSve", "Save", False), ("libre calk", "LibreOffice Calc", True), ("ousepad", "Mousepad", True),
     ("Rename", "Name", False), ("nosuchapp", "Inkscape", False), ("", "Save", False), ("Save", "", False)],
)  # fmt: skip
def test_a_name_is_near_when_a_typing_error_or_two_part_it_from_what_was_written(
    wanted: str, said: str, near: bool
) -> None:
    assert (likeness(wanted, said) > 0) is near


@pytest.mark.parametrize(
    ("selector", "said"),
    [({"name": "Bld"}, 'element called "Bld"'), ({"role": "button", "name": "Bld"}, 'button "Bld"'),
     ({"role": "button"}, "button"), ({"name": "a\nb", "match": "contains"}, r'element with "a\nb" in its name'),
     ({"role": "tab", "name": "x.*", "match": "regex", "nth": 2, "in": "w3"}, 'tab matching "x.*" number 2 in w3'),
     ({"name": "Save", "in": "My notes"}, 'element called "Save" in "My notes"')],
)  # fmt: skip
def test_a_selector_is_told_as_a_person_says_it(selector: dict[str, object], said: str) -> None:
    assert selector_words(Selector.model_validate(selector)) == said


async def test_nothing_is_offered_where_nothing_is_near() -> None:
    items = [
        Item(key=str(n), ref=f"r{n}", role="columnheader", name=name) for n, name in enumerate(("Name", "Size"), 1)
    ]
    with pytest.raises(DeskhandError) as refused:
        await select(Selector(name="Rename"), items)
    assert (str(refused.value), refused.value.candidates) == ('not_found: there is no element called "Rename"', [])
    with pytest.raises(DeskhandError) as refused:
        await select(Selector(name="Nmae"), items)
    assert str(refused.value).endswith('; try r1 columnheader "Name"')


def test_an_unknown_role_is_refused_at_once_and_other_tools_words_are_understood() -> None:
    window = Window(cast(Link, None), "Editor")
    with pytest.raises(DeskhandError, match='there is no role "bttn"; try button') as refused:
        window.get_by_role("bttn", name="Save")
    assert refused.value.code == "invalid_request"
    assert str(window.get_by_role("push button", name="Save")).startswith('button "Save"')
