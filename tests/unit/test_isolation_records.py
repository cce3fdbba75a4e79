"""Records of desktops that another version of deskhand has started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deskhand.isolation.arrangement import Arrangement
from deskhand.isolation.messages import RECORD, Reply, Request, read_record

WISH: dict[str, Any] = {"name": "old", "folder": "/nowhere", "token": "t"}


def read(folder: Path, wish: dict[str, Any], **record: Any) -> Any:
    (folder / RECORD).write_text(json.dumps({"wish": {**WISH, **wish}, "pid": 7, "ready": True, **record}))
    return read_record(folder)


def test_a_record_of_before_there_were_several_monitors_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, {"size": [1024, 768]}, display=":5")
    assert (found.wish.name, found.pid, found.display, found.ready) == ("old", 7, ":5", True)
    assert found.monitors == Arrangement.of((1024, 768))
    assert read(tmp_path, {}).monitors.size == (1280, 1024)


def test_what_a_newer_version_writes_beside_is_let_be(tmp_path: Path) -> None:
    found = read(tmp_path, {"colour": "red"}, mood={"good": True}, display=":6")
    assert (found.wish.name, found.display) == ("old", ":6")


@pytest.mark.parametrize("strange", [{"limit": "cgroup3"}, {"monitors": {"grid": [2, 2]}}], ids=str)
def test_words_of_another_version_do_not_hide_a_desktop(tmp_path: Path, strange: dict[str, Any]) -> None:
    found = read(tmp_path, {"home": "cloud"}, display=":7", **strange)
    assert (found.wish.name, found.wish.home, found.display, found.pid) == ("old", "own", ":7", 7)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"wish": []}', '{"wish": {"name": "x"}}', "nonsense"])
def test_what_is_no_record_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / RECORD).write_text(text)
    assert read_record(tmp_path) is None


def test_an_older_keeper_is_sent_nothing_that_it_does_not_know() -> None:
    assert json.loads(Request(do="stop").model_dump_json(exclude_defaults=True)) == {"do": "stop"}
    assert Reply.model_validate_json('{"pid": 3, "news": 1}').pid == 3
