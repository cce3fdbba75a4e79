"""The clipboard as a Qt 6 program holds it: ``clipboard_qt.py FOLDER [PRIMARY]``.

Offers every file of FOLDER, whose name is its type (``image%2Fpng``), until it is killed, and says "mine" once the X
server names it as the owner. Qt and not GTK 4, whose large answers now and then end in an abort within
GTK (4.8, ``gdkselectionoutputstream-x11.c``), whoever asks.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QGuiApplication


def own(folder: Path, mode: QClipboard.Mode) -> None:
    """Own the selection with what ``folder`` holds."""
    application = QGuiApplication(["clipboard"])
    content = QMimeData()
    for path in sorted(folder.iterdir()):
        content.setData(unquote(path.name), path.read_bytes())
    board = application.clipboard()
    board.setMimeData(content, mode)
    owns = board.ownsSelection if mode is QClipboard.Mode.Selection else board.ownsClipboard
    assert owns(), "another program keeps the selection"
    print("mine", flush=True)
    application.exec()


if __name__ == "__main__":
    own(Path(sys.argv[1]), QClipboard.Mode.Selection if sys.argv[2:] == ["PRIMARY"] else QClipboard.Mode.Clipboard)
