"""Where records live: ``$XDG_STATE_HOME/deskhand/records/DESKTOP/YYYY-MM-DD.jsonl``."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path

_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}\.jsonl$")


def records_folder(environment: Mapping[str, str]) -> Path:
    """The folder of all desktops' records, not created yet."""
    state = environment.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path(environment.get("HOME", "/tmp")) / ".local" / "state"
    return base / "deskhand" / "records"


def day_file(folder: Path, stamp: float) -> Path:
    """The file of the day (UTC) of ``stamp``, seconds since the epoch."""
    return folder / time.strftime("%Y-%m-%d.jsonl", time.gmtime(stamp))


def day_files(folder: Path) -> list[Path]:
    """All records in the folder, oldest first."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _DAY.match(path.name))


def prune(folder: Path, kept_days: int, stamp: float) -> list[Path]:
    """Remove the files of days more than ``kept_days`` ago; those removed."""
    oldest = day_file(folder, stamp - kept_days * 86400).name
    old = [path for path in day_files(folder) if path.name < oldest]
    for path in old:
        path.unlink(missing_ok=True)
    return old
