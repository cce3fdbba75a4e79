"""Read a spreadsheet: open a file in LibreOffice Calc and print what its first sheet shows, as CSV.

Usage: python examples/read_a_spreadsheet.py FILE
"""

import csv
import sys
from pathlib import Path

from deskhand.sync import connect


def cells_of(path: Path) -> list[list[str]]:
    """The rows that show, without the empty ones. A file that is no spreadsheet opens elsewhere, and is not found."""
    with connect("new", timeout=20) as desktop:
        desktop.open(file=path, timeout=45)
        questions = desktop.window("Text Import")  # asked of text such as CSV, and shows a table of its own
        if questions.is_open():
            questions.get_by_role("button", name="OK").press()
        rows = desktop.window(f"{path.name} - LibreOffice Calc").get_by_role("table").table().cells
    return [row[: _width(rows)] for row in rows if any(row)]


def _width(rows: list[list[str]]) -> int:
    return max((n + 1 for row in rows for n, cell in enumerate(row) if cell), default=0)


if __name__ == "__main__":
    csv.writer(sys.stdout).writerows(cells_of(Path(sys.argv[1])))
