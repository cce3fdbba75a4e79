"""What a run of the harness comes to: how many cases passed in each repetition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Count:
    """``total`` cases were asked for; ``passed`` has how many passed, repetition by repetition."""

    total: int
    passed: tuple[int, ...]
    failures: tuple[str, ...]

    @classmethod
    def of(cls, report: Mapping[str, Any], total: int, repetitions: int) -> Count:
        """From the harness's own report. Whatever is not a pass has not passed: errors, and what was not measured."""
        judged: Mapping[str, list[str]] = {case["entry_id"]: case["statuses"] for case in report["entries"]}
        passed = (
            sum(each[number : number + 1] == ["pass"] for each in judged.values()) for number in range(repetitions)
        )
        missed = {case["entry_id"]: [f"not measurable, {case['reason']}"] for case in report["not_measurable"]}
        failed = {name: each for name, each in judged.items() if each != ["pass"] * repetitions}
        return cls(
            total, tuple(passed), tuple(f"{name}: {', '.join(each)}" for name, each in {**failed, **missed}.items())
        )

    @property
    def whole(self) -> bool:
        """Whether every case passed every time."""
        return bool(self.passed) and set(self.passed) == {self.total}

    def line(self, words: str) -> str:
        """The last line of a run."""
        times = f"{len(self.passed)} repetition{'s' if len(self.passed) != 1 else ''} ({words})"
        if len(set(self.passed)) == 1:
            return f"autoharness: {self.passed[0]} of {self.total} cases passed in each of {times}"
        return f"autoharness: {', '.join(map(str, self.passed))} of {self.total} cases passed in {times}"
