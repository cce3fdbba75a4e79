"""What crosses to another process is what the caller said, and nothing that would break the connection."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from deskhand.types.crossing import crossing
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, FindRequest


def test_what_was_left_out_stays_left_out() -> None:
    assert crossing(FindRequest(cursor="s1.1")) == {"cursor": "s1.1"}
    step = {"do": "hotkey", "keys": "ctrl+s"}
    assert crossing(ActRequest.model_validate({"steps": [step]})) == {"steps": [{"do": "key", "keys": "ctrl+s"}]}


def test_a_lone_surrogate_is_refused_before_it_breaks_the_connection() -> None:
    typed = ActRequest.model_validate({"steps": [{"do": "type", "value": "a\ud800"}]})
    with pytest.raises(DeskhandError, match=r"step 1: U\+D800") as refused:
        crossing(typed)
    assert (refused.value.code, refused.value.sent) == ("unsendable_text", "no")


def test_no_name_holds_a_lone_surrogate() -> None:
    with pytest.raises(ValidationError, match=r"U\+DCFF is no text"):
        ActRequest.model_validate({"steps": [{"do": "press", "on": {"name": "\udcff"}}]})
