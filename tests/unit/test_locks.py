"""What is installed is what was locked: every dependency pinned, hashed, and tied to no index."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-tools.lock")


def pinned(lock: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / lock).read_text(), re.MULTILINE))


def wanted(lines: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", line)[0].lower().replace("_", "-") for line in lines}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    entries = re.split(r"\n(?=\S)", text.strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text
    assert not re.search(r"^\s*-(i|f|-index-url|-extra-index-url|-find-links)\b", text, re.MULTILINE)


def test_the_locks_hold_all_that_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    assert wanted(project["project"]["dependencies"] + groups["build"]) <= pinned("requirements.lock")
    assert wanted(groups["dev"]) | pinned("requirements.lock") <= pinned("requirements-dev.lock")
    assert wanted(groups["tools"]) <= pinned("requirements-tools.lock")


def test_the_clients_of_the_tests_are_pinned_with_hashes_and_tied_to_no_index() -> None:
    folder = ROOT / "tests" / "clients" / "npm"
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert packages[""]["dependencies"] == asked
    assert {name: packages[f"node_modules/{name}"]["version"] for name in asked} == asked
    fetched = {name: package for name, package in packages.items() if name}
    assert [name for name, package in fetched.items() if not package["integrity"].startswith("sha512-")] == []
    assert [name for name, package in fetched.items() if "resolved" in package] == []
