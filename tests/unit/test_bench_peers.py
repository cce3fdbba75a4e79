"""The arithmetic and the report of the benchmark beside the peers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.peers import report
from benchmarks.peers.contenders import Ours
from benchmarks.peers.costs import OF_A_SCHEMA, OF_A_TOOL, compact, cut
from benchmarks.peers.drawing import chart, length
from benchmarks.peers.figures import CUA, OURS, PEERS, XA11Y, Acted, Calamity, Compared, Dumped, Observed, times
from benchmarks.peers.processes import born, family, resident, spent
from benchmarks.peers.rounds import JOBS, turns
from benchmarks.peers.stage import subjects
from benchmarks.peers.stdio import Server

LOCK = Path(report.__file__).with_name("requirements.lock")


def dumped(times: float, nodes: int = 100, cells: int = 0) -> Dumped:
    return Dumped(
        application="Chromium", nodes=nodes, cells=cells, peer_nodes=100, ours_ms=1, first_ms=2, with_actions_ms=2,
        peer_ms=times, times=times, actions_times=times / 2,
    )  # fmt: skip


def observed(peer: str, times: float, note: str = "", cells: int = 9) -> Observed:
    return Observed(
        application="Calc", peer=peer, ms=100 * times, times=times, nodes=50, note=note, cells=cells, tokens=7
    )


def acted(peer: str, steps: int, times: float, way: str = "act", done: int = 3) -> Acted:
    return Acted(
        application="Mousepad", peer=peer, way=way, steps=steps, ms=times, times=times, done=done, rounds=3, tells=""
    )


def run(**parts: object) -> Compared:
    given = {"cores": 2, "load_before": 0.5, "load_after": 4.0, "rounds": 3, "versions": {OURS: "1"}, **parts}
    return Compared.model_validate(given)


def held(**parts: object) -> list[bool]:
    return [bound.holds for bound in run(**parts).bounds]


def test_each_rounds_own_ratio_counts_so_that_a_slow_round_spoils_nothing() -> None:
    assert times([1.0, 10.0, 1.0], [3.0, 30.0, 2.0]) == 3.0


def test_every_contender_begins_a_round_as_often_as_any_other() -> None:
    order = turns(["a", "b", "c"], 6)
    assert [turn[0] for turn in order] == ["a", "b", "c", "a", "b", "c"]
    assert all(sorted(turn) == ["a", "b", "c"] for turn in order)


@pytest.mark.parametrize(("row", "holds"), [
    (dumped(10.0), True), (dumped(9.9), False), (dumped(12.0, nodes=60, cells=20), False),
    (dumped(13.0, nodes=60, cells=20), True), (dumped(10.0, nodes=300), True), (dumped(9.9, nodes=300), False),
])  # fmt: skip
def test_a_dump_is_ten_times_as_fast_only_at_equal_nodes(row: Dumped, holds: bool) -> None:
    assert held(dumped=[row]) == [holds]


def test_a_sheet_is_looked_at_in_no_more_time_than_the_peer_and_no_cell_may_be_missing() -> None:
    theirs = observed(CUA, 1.0)
    assert held(observed=[observed(OURS, 1.0), theirs]) == [True]
    assert held(observed=[observed(OURS, 1.0), observed(CUA, 0.99)]) == [False]
    assert held(observed=[observed(OURS, 1.0, note="2 visible cells are missing"), theirs]) == [False]
    assert held(observed=[observed(OURS, 1.0, cells=0), theirs]) == [False]


def test_a_press_must_be_faster_and_must_have_done_its_work_every_time() -> None:
    assert held(acted=[acted(OURS, 1, 1.0), acted(CUA, 1, 1.01)]) == [True]
    assert held(acted=[acted(OURS, 1, 1.0), acted(CUA, 1, 0.9)]) == [False]
    assert held(acted=[acted(OURS, 1, 1.0, done=2), acted(CUA, 1, 9.0)]) == [False]


def test_ten_steps_are_held_against_the_peers_faster_way() -> None:
    ours, slow = acted(OURS, 10, 1.0), acted(CUA, 10, 9.0, "run_steps")
    assert held(acted=[ours, slow, acted(CUA, 10, 4.9, "clicks")]) == [False]
    assert held(acted=[ours, slow, acted(CUA, 10, 5.0, "clicks")]) == [True]


def test_what_pressing_makes_of_a_window_is_known_beforehand() -> None:
    boxes, digits = JOBS["Mousepad"], JOBS["Calculator"]
    off = dict.fromkeys(boxes.names, False)
    after = boxes.expected(off, len(boxes.names))
    assert isinstance(after, dict)
    assert [name for name, on in after.items() if not on] == list(boxes.names[:2])  # pressed twice
    assert boxes.expected(off, 1) == {**off, boxes.names[0]: True}
    assert digits.expected("7", 3) == "7123"


def test_definitions_are_counted_by_what_the_protocol_knows() -> None:
    tools = [{"name": "a", "risk": {"class": "r1"}, "description": "ä", "outputSchema": {}, "inputSchema": {}}]
    assert cut(tools, OF_A_TOOL) == [{"name": "a", "description": "ä", "outputSchema": {}, "inputSchema": {}}]
    assert cut(tools, OF_A_SCHEMA) == [{"name": "a", "description": "ä", "inputSchema": {}}]
    assert compact(cut(tools, OF_A_SCHEMA)) < compact(cut(tools, OF_A_TOOL)) < compact(tools)


def test_a_ref_is_found_by_the_whole_of_its_name() -> None:
    text = 'button: r1 "11", r2 "1", r3 ("1"), r4 checkbox "Say \\"ü\\"" on'
    assert Ours._ref(text, "1") == "r2"
    assert Ours._ref(text, 'Say "ü"') == "r4"


def test_an_application_is_meant_by_its_whole_name_or_by_its_beginning() -> None:
    assert [s.name for s in subjects(["calc"])] == ["Calc"]
    assert [s.name for s in subjects(["text", "mouse"])] == ["Mousepad", "Text Editor"]
    assert len(subjects([])) == 5


def test_a_process_is_told_from_a_later_one_with_its_number() -> None:
    own = born(next(iter(family_of_this())))
    assert own
    assert born(2**22 + 1) == ""
    assert resident([2**22 + 1]) == 0
    assert resident(family_of_this()) > 1
    assert spent(family_of_this()) > 0


def family_of_this() -> set[int]:
    return family(os.getpid())


def test_a_bar_is_none_at_one_millisecond_and_the_whole_width_at_the_longest() -> None:
    assert length(1.0, 1000.0) == 0
    assert length(0.2, 1000.0) == 0
    assert length(1000.0, 1000.0) == 3 * length(10.0, 1000.0)
    assert length(1.0, 1.0) == 0


def test_the_drawing_is_an_image_with_one_bar_for_each_look() -> None:
    drawn = ElementTree.fromstring(chart([observed(OURS, 1.0), observed(XA11Y, 7.0)]))
    bars = drawn.findall("{http://www.w3.org/2000/svg}rect")
    assert len(bars) == 1 + len(PEERS) + 2
    assert [t.text for t in drawn.iter() if t.text and t.text.endswith(" ms")] == ["100 ms", "700 ms"]


def test_the_report_tells_what_does_not_hold_and_where_a_peer_is_faster() -> None:
    said = report.markdown(run(acted=[acted(OURS, 1, 1.0), acted(CUA, 1, 0.4)], dumped=[dumped(20.0)]))
    assert "| Mousepad: a guarded press with effect and diff, beside cua-driver's click | faster | 0.4 times" in said
    assert said.count("**does not hold**") == 1
    assert "| Chromium | 100 | 100 | 1.0 | 2.0 | 20.0 | 20.0 | 2.0 | 10.0 |" in said
    assert "2 cores, loaded (load 0.5 to 4.0)" in said
    assert "**Costs**" not in said


def test_the_report_tells_who_died_of_a_dump() -> None:
    died = Calamity(
        limit_mb=1500, limit="cgroup1", before_mb=200, peak_mb=1499, seconds=30, alive=False, killed=1, said="NoReply"
    )
    said = report.markdown(run(calamity=died))
    assert "LibreOffice died; the desktop's memory limit killed 1; xa11y said: `NoReply`." in said
    assert "LibreOffice lived" in report.markdown(run(calamity=died.model_copy(update={"alive": True, "killed": 0})))


def test_figures_written_twice_stand_there_once() -> None:
    page = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    once = report.placed(page, "new")
    assert once == report.placed(once, "new")
    assert once.startswith("before\n")
    assert once.endswith("\nafter\n")
    assert "old" not in once


def test_the_page_has_the_place_for_the_figures() -> None:
    page = report.PAGE.read_text()
    assert page.count(report.BEGIN) == page.count(report.END) == 1


def test_figures_go_into_a_folder_with_their_drawing(tmp_path: Path) -> None:
    page, picture = report.write(run(observed=[observed(OURS, 1.0)]), tmp_path / "new")
    assert f"]({picture.name})" in page.read_text()
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_the_peers_are_pinned_with_hashes_and_tied_to_no_index() -> None:
    text = LOCK.read_text()
    assert "cua-driver==0.37.0 " in text
    assert "xa11y==0.15.4 " in text
    assert "://" not in text
    assert all("--hash=sha256:" in entry for entry in text.strip().split("\n\n")[0].split("==")[1:])


SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}), flush=True)
    tool = asked["params"].get("name")
    said = {"content": [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], "isError": tool == "bad"}
    body = {"error": {"code": 1, "message": "no"}} if asked["method"] == "other" else {"result": said}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
"""


async def test_a_server_is_asked_and_what_it_refuses_is_an_error() -> None:
    server = await Server.start([sys.executable, "-c", SERVER], {})
    try:
        said = await server.call("good")
        assert said.text == "one two"
        assert said.seconds > 0
        assert said.structured == {}
        with pytest.raises(RuntimeError, match="bad: one two"):
            await server.call("bad")
        with pytest.raises(RuntimeError, match="no"):
            await server.ask("other")
    finally:
        await server.stop()
    assert born(server.pid) == ""
