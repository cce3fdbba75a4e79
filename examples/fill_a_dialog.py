"""Fill a dialog: write a note in Mousepad and save it through the menu and the file dialog.

Usage: python examples/fill_a_dialog.py FILE
"""

import sys
from pathlib import Path

from deskhand.sync import connect, expect


def save_note(path: Path, text: str) -> None:
    """Type ``text`` into a new Mousepad window and save it as ``path``."""
    with connect("new") as desktop:
        editor = desktop.open("mousepad")
        editor.get_by_role("textbox").first.fill(text)
        editor.menu("File", "Save As…")
        dialog = desktop.window("Save As")
        dialog.get_by_label("Name:").fill(str(path))
        dialog.get_by_role("button", name="Save").press()
        expect(dialog).to_be_gone()
        expect(desktop.window("Mousepad")).to_have_title(f"{path} - Mousepad")


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    save_note(target, "Milk, bread, coffee.\n")
    print(f"saved {target}: {target.read_text(encoding='utf-8').strip()}")
