"""A sample of cua-auto-harness's runner cases through ``input``; ``make autoharness`` runs all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.outside import ROOT, outside
from tests.suites.autoharness.counting import Count

SAMPLE: Mapping[str, tuple[str, ...]] = {
    "gpt": ("click_triple_left", "drag_multipoint", "key_kp_enter", "type_emoji_zwj"),
    "claude": ("press_hold_release_right", "scroll_diagonal", "caps_lock_roundtrip", "more_f13", "more_xf86audioplay"),
}
"""Words to cases: of each kind one that is easily got wrong."""


async def ran(*options: str) -> tuple[int | None, str]:
    """The harness's exit code, and what it printed."""
    process = await asyncio.create_subprocess_exec(
        outside().harness, "-u", "-m", "tests.suites.autoharness", *options, cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), 180.0)
    except TimeoutError:
        process.terminate()
        await process.wait()
        raise
    return process.returncode, printed.decode()


@pytest.mark.apps
@pytest.mark.proves("B2", "A9")
@pytest.mark.parametrize("words", list(SAMPLE))
async def test_an_independent_probe_gets_what_input_was_told_to_send(words: str, tmp_path: Path) -> None:
    cases = SAMPLE[words]
    code, printed = await ran(
        "--own", "--reps", "1", "--style", words, "--only", *cases, "--report", str(tmp_path / "report")
    )
    last = f"autoharness: {len(cases)} of {len(cases)} cases passed in each of 1 repetition ({words})"
    assert (code, printed.splitlines()[-1]) == (0, last), printed


def test_what_is_no_pass_is_not_counted_as_one() -> None:
    cases = {"a": ["pass", "pass"], "b": ["pass", "error"], "c": ["fail", "fail"]}
    entries = [{"entry_id": name, "statuses": statuses} for name, statuses in cases.items()]
    report = {"entries": entries, "not_measurable": [{"entry_id": "d", "reason": "no tap"}]}
    count = Count.of(report, 4, 2)
    assert not count.whole
    assert count.line("gpt") == "autoharness: 2, 1 of 4 cases passed in 2 repetitions (gpt)"
    assert count.failures == ("b: pass, error", "c: fail, fail", "d: not measurable, no tap")
    assert Count.of({"entries": entries[:1], "not_measurable": []}, 1, 2).whole
    assert not Count.of({"entries": [], "not_measurable": []}, 1, 2).whole
