"""What a dialog hid and gave back is counted, not told anew; what is new or different among it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from deskhand.desktop.semantics.diff import changes, diff_lines
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.snapshots import Snapshot, SnapshotStore
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Window

WINDOW = Window(key="1", title="Page", app="browser", pid=1, bounds=Rect(0, 0, 10, 10))
FIELDS = {f"r{n}": Item(key=str(n), ref=f"r{n}", role="textbox", name=f"Field {n}") for n in range(1, 31)}
ANSWER = {"r40": Item(key="40", ref="r40", role="button", name="OK")}


class Ids:
    def __init__(self) -> None:
        self.last = 0

    def next(self, kind: str) -> int:
        self.last += 1
        return self.last

    def issued(self, kind: str) -> int:
        return self.last


def seen(store: SnapshotStore, flat: Mapping[str, Item], **more: Any) -> Snapshot:
    window = replace(WINDOW, **more)
    return store.keep(Snapshot(store.new_id(), window, "w1", {}, {}, tuple(flat.values()), len(flat), flat=flat))


def told(store: SnapshotStore, base: Snapshot, now: Snapshot) -> list[str]:
    return diff_lines(changes(base.flat, now.flat), earlier=lambda: store.before(base))


def test_what_comes_back_as_it_was_is_counted() -> None:
    store = SnapshotStore(Ids())
    first, during = seen(store, FIELDS), seen(store, ANSWER)
    assert told(store, first, during) == ['+ r40 button "OK"', "- 30 elements"]
    changed = {"r7": replace(FIELDS["r7"], value="new"), "r50": replace(ANSWER["r40"], ref="r50", name="Next")}
    after = seen(store, {**FIELDS, **changed})
    assert told(store, during, after) == [
        '+ r7 textbox "Field 7" = "new"', '+ r50 button "Next"', '- r40 button "OK"',
        "+ 29 elements, back as they were",
    ]  # fmt: skip


def test_what_was_last_otherwise_is_told_and_other_windows_do_not_count() -> None:
    store = SnapshotStore(Ids())
    seen(store, FIELDS)
    seen(store, {ref: replace(item, value="x") for ref, item in FIELDS.items()})
    during = seen(store, ANSWER)
    assert told(store, during, seen(store, FIELDS))[0] == '+ r1 textbox "Field 1"'
    elsewhere = SnapshotStore(Ids())
    seen(elsewhere, FIELDS, key="2")
    during = seen(elsewhere, ANSWER)
    assert told(elsewhere, during, seen(elsewhere, FIELDS))[0] == '+ r1 textbox "Field 1"'
