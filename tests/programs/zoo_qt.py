"""The usual Qt 6 widgets (PySide6), telling what was done to them: ``zoo_qt.py STATE [TITLE [LOCALE]]``.

State file and commands are those of ``zoo_gtk3.py`` as far as they are here: ``page``, ``ask``, ``replace``,
``rename``, ``disable``, ``freeze``, ``later``, ``quit``, ``exit``. With a LOCALE (``de``) Qt speaks it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDate, QLibraryInfo, QSocketNotifier, Qt, QTimer, QTranslator
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTextEdit,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

BUTTONS = ("Save", "Delete", "OK r22, Delete", "Replaced", "Renamed", "Disabled")
ROWS, COLUMNS = 200, 5
PLACES = {"Europe": ("France", "Italy"), "Asia": ("Japan", "Nepal")}


class Journal:
    """What happened, as the application itself knows it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.state: dict[str, Any] = {"ready": False, "commands": 0, "error": "", "pressed": {}, "closed": []}

    def put(self, **values: Any) -> None:
        self.state.update(values)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        os.rename(self.path + ".new", self.path)

    def pressed(self, name: str) -> None:
        counts = self.state["pressed"]
        counts[name] = counts.get(name, 0) + 1
        self.put()

    def listen(self, key: str) -> Callable[[Any], None]:
        """A slot that keeps what a signal carries."""
        return lambda value: self.put(**{key: value})


class Target(QListWidget):
    """A list that takes what is dropped on it."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        self.setAcceptDrops(True)
        self.setAccessibleName("Basket")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.acceptProposedAction()

    def dragMoveEvent(self, event: Any) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        names = [self.item(n).text() for n in range(self.count())]
        self.journal.put(basket=names)


class Zoo(QMainWindow):
    """The window and its commands."""

    def __init__(self, path: str, title: str) -> None:
        super().__init__()
        self.journal = Journal(path)
        self.named: dict[str, QPushButton] = {}
        self.setWindowTitle(title)
        self.resize(720, 640)
        self._menus()
        self.pages = QTabWidget()
        makers = {
            "Buttons": self._buttons, "Fields": self._fields, "Lists": self._lists, "Table": self._table,
            "Ground": self._ground,
        }  # fmt: skip
        for name, make in makers.items():
            self.pages.addTab(make(), name)
        self.pages.currentChanged.connect(self.journal.listen("tab"))
        self.setCentralWidget(self.pages)
        self.statusBar().showMessage("All is well")

    def _menus(self) -> None:
        file, edit = self.menuBar().addMenu("&File"), self.menuBar().addMenu("&Edit")
        for name in ("New", "Open…", "Send"):
            file.addAction(self._action(name))
        recent = file.addMenu("Recent")
        for name in ("One", "Two"):
            recent.addAction(self._action(name))
        edit.addAction(self._action("Rename…", self.ask))
        wrap = self._action("Word wrap")
        wrap.setCheckable(True)
        wrap.toggled.connect(self.journal.listen("wrap"))
        edit.addAction(wrap)
        bar = self.addToolBar("Main")
        for name in ("Reload", "Stop"):
            bar.addAction(self._action(name))
        bold = self._action("Bold")
        bold.setCheckable(True)
        bold.toggled.connect(self.journal.listen("bold"))
        bar.addAction(bold)

    def _action(self, name: str, act: Callable[[], object] | None = None) -> QAction:
        action = QAction(name, self)
        action.triggered.connect(lambda _=False: self._pressed(name, act))
        return action

    def _pressed(self, name: str, act: Callable[[], object] | None = None) -> None:
        self.journal.pressed(name)
        if act is not None:
            act()

    # -- pages -----------------------------------------------------------------------------------------------
    def _button(self, name: str, act: Callable[[], object] | None = None) -> QPushButton:
        button = QPushButton(name)
        button.clicked.connect(lambda _=False: self._pressed(name, act))
        self.named[name] = button
        return button

    def _buttons(self) -> QWidget:
        page = QWidget()
        self.column = column = QVBoxLayout(page)
        for name in BUTTONS:
            column.addWidget(self._button(name))
        self.named["Disabled"].setEnabled(False)
        column.addWidget(self._button("Ask", self.ask))
        check = QCheckBox("Wrap lines")
        check.toggled.connect(self.journal.listen("check"))
        column.addWidget(check)
        column.addWidget(self._radios())
        column.addWidget(self._context())
        return page

    def _radios(self) -> QWidget:
        box, self.group = QGroupBox("Colour"), QButtonGroup(self)
        row = QHBoxLayout(box)
        for name in ("Red", "Green", "Blue"):
            radio = QRadioButton(name)
            radio.setChecked(name == "Red")
            self.group.addButton(radio)
            row.addWidget(radio)
        self.group.buttonClicked.connect(lambda radio: self.journal.put(radio=radio.text()))
        self.group.buttonToggled.connect(lambda radio, on: self.journal.put(radio=radio.text()) if on else None)
        return box

    def _context(self) -> QWidget:
        spot = QPushButton("Context")
        spot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        menu = QMenu(spot)
        for name in ("Copy here", "Move here"):
            menu.addAction(self._action(name))
        spot.customContextMenuRequested.connect(lambda place: menu.popup(spot.mapToGlobal(place)))
        return spot

    def _fields(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        name, secret = QLineEdit("first"), QLineEdit()
        name.textChanged.connect(self.journal.listen("entry"))
        secret.setEchoMode(QLineEdit.EchoMode.Password)
        secret.textChanged.connect(self.journal.listen("password"))
        fixed, short = QLineEdit("fixed"), QLineEdit()
        fixed.setReadOnly(True)
        short.setMaxLength(5)
        short.setPlaceholderText("five letters")
        short.textChanged.connect(self.journal.listen("short"))
        spin, double = QSpinBox(minimum=1, maximum=99), QDoubleSpinBox(minimum=0, maximum=10, singleStep=0.25)
        spin.valueChanged.connect(self.journal.listen("spin"))
        double.valueChanged.connect(self.journal.listen("double"))
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, 100)
        slider.valueChanged.connect(self.journal.listen("slider"))
        date = QDateEdit(QDate(2024, 1, 31))
        date.setDisplayFormat("yyyy-MM-dd")
        date.dateChanged.connect(lambda day: self.journal.put(date=day.toString(Qt.DateFormat.ISODate)))
        notes = QTextEdit()
        notes.setMaximumHeight(120)
        notes.textChanged.connect(lambda: self.journal.put(notes=notes.toPlainText()))
        rows: dict[str, QWidget] = {
            "&Name": name, "Password": secret, "Short": short, "Read only": fixed, "Copies": spin, "Ratio": double,
            "Volume": slider, "Day": date, "Font": self._combo(False), "Size": self._combo(True), "Notes": notes,
        }  # fmt: skip
        for label, field in rows.items():
            form.addRow(label, field)
        self.journal.state |= {"entry": "first", "spin": 1, "double": 0.0, "slider": 0, "notes": "", "password": ""}
        return page

    def _combo(self, editable: bool) -> QComboBox:
        combo = QComboBox()
        combo.addItems(["8", "10", "12"] if editable else ["Arial", "Courier", "Times"])
        combo.setEditable(editable)
        combo.currentTextChanged.connect(self.journal.listen("size" if editable else "font"))
        return combo

    def _lists(self) -> QWidget:
        split, fruit, tree = QSplitter(), QListWidget(), QTreeWidget()
        fruit.setAccessibleName("Fruit")
        fruit.addItems(["Apple", "Banana", "Cherry", *(f"Fruit {n}" for n in range(1, 41))])
        fruit.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        fruit.itemSelectionChanged.connect(
            lambda: self.journal.put(fruit=sorted(item.text() for item in fruit.selectedItems()))
        )
        tree.setAccessibleName("Places")
        tree.setHeaderLabels(["Place"])
        for parent, children in PLACES.items():
            item = QTreeWidgetItem(tree, [parent])
            item.addChildren([QTreeWidgetItem([child]) for child in children])
        tree.itemSelectionChanged.connect(
            lambda: self.journal.put(place=[item.text(0) for item in tree.selectedItems()])
        )
        tree.itemExpanded.connect(lambda item: self.journal.put(expanded=item.text(0)))
        tree.itemCollapsed.connect(lambda item: self.journal.put(expanded=None))
        tree.itemChanged.connect(lambda item: self.journal.put(changed=item.text(0)))
        split.addWidget(fruit)
        split.addWidget(tree)
        return split

    def _table(self) -> QWidget:
        table = QTableWidget(ROWS, COLUMNS)
        table.setAccessibleName("Stock")
        table.setHorizontalHeaderLabels(["Item", "Colour", "Price", "Count", "Note"])
        table.verticalHeader().hide()
        for row in range(ROWS):
            for column in range(COLUMNS):
                table.setItem(row, column, QTableWidgetItem(f"{'abcde'[column]}-{row + 1}"))
        table.itemSelectionChanged.connect(lambda: self.journal.put(cells=_places(table)))
        table.cellChanged.connect(
            lambda row, column: self.journal.put(changed=[row, column, _text(table, row, column)])
        )
        table.horizontalHeader().sectionClicked.connect(self.journal.listen("header"))
        self.journal.state["cells"] = []
        return table

    def _ground(self) -> QWidget:
        split, source, area, inside = QSplitter(), QTreeView(), QScrollArea(), QWidget()
        model = QStandardItemModel(0, 1)
        model.setHorizontalHeaderLabels(["Shelf"])
        for name in ("Hammer", "Nail", "Saw"):
            model.appendRow(QStandardItem(name))
        source.setAccessibleName("Shelf")
        source.setModel(model)
        source.setDragEnabled(True)
        source.setRootIsDecorated(False)
        column = QVBoxLayout(inside)
        for number in range(1, 41):
            column.addWidget(self._button(f"Plank {number}"))
        area.setWidget(inside)
        area.setAccessibleName("Planks")
        for part in (source, Target(self.journal), area):
            split.addWidget(part)
        split.setSizes([200, 200, 300])
        return split

    # -- talks -----------------------------------------------------------------------------------------------
    def ask(self) -> None:
        """A modal dialog in front of the window."""
        talk = QDialog(self)
        talk.setWindowTitle("Rename")
        field = QLineEdit()
        field.textChanged.connect(self.journal.listen("new_name"))
        row = QFormLayout(talk)
        row.addRow(QLabel("What is it to be called?"))
        row.addRow("New name", field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(talk.accept)
        buttons.rejected.connect(talk.reject)
        row.addRow(buttons)
        talk.finished.connect(lambda code: self.journal.put(answer="ok" if code else "cancel", dialog=None))
        self.journal.put(dialog="rename")
        talk.setModal(True)
        talk.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.journal.put(closed=[*self.journal.state["closed"], self.windowTitle()])
        super().closeEvent(event)

    # -- commands --------------------------------------------------------------------------------------------
    def do(self, line: str) -> None:
        """Carry out one command line."""
        name, _, rest = line.partition(" ")
        try:
            COMMANDS[name](self, *rest.split("|") if rest else ())
        except (KeyError, ValueError, TypeError) as error:
            self.journal.put(error=f"{line}: {error!r}")
        QTimer.singleShot(0, lambda: self.journal.put(commands=self.journal.state["commands"] + 1))

    def page(self, place: str) -> None:
        self.pages.setCurrentIndex(int(place))

    def replace(self, name: str) -> None:
        """A new object with the same label at the same place."""
        old = self.named[name]
        self.column.replaceWidget(old, self._button(name))
        old.deleteLater()

    def rename(self, name: str, label: str) -> None:
        self.named[name].setText(label)

    def disable(self, name: str) -> None:
        self.named[name].setEnabled(False)

    def freeze(self, seconds: str) -> None:
        time.sleep(float(seconds))

    def later(self, milliseconds: str, line: str) -> None:
        QTimer.singleShot(int(milliseconds), lambda: self.do(line))

    def quit(self) -> None:
        QApplication.quit()

    def exit(self) -> None:
        """End at once, in the middle of whatever it is."""
        os._exit(0)


COMMANDS: dict[str, Callable[..., None]] = {
    "page": Zoo.page, "ask": Zoo.ask, "replace": Zoo.replace, "rename": Zoo.rename, "disable": Zoo.disable,
    "freeze": Zoo.freeze, "later": Zoo.later, "quit": Zoo.quit, "exit": Zoo.exit,
}  # fmt: skip
"""Command name to what it does; arguments are separated by ``|``."""


def _text(table: QTableWidget, row: int, column: int) -> str:
    item = table.item(row, column)
    return item.text() if item is not None else ""


def _places(table: QTableWidget) -> list[list[int]]:
    return sorted([index.row(), index.column()] for index in table.selectedIndexes())


def _read_commands(zoo: Zoo) -> QSocketNotifier:
    """Feed stdin's lines to the zoo; the end of stdin changes nothing."""
    notifier, held = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read), bytearray()

    def ready(*_: object) -> None:
        data = os.read(sys.stdin.fileno(), 65536)
        notifier.setEnabled(bool(data))
        held.extend(data)
        while (end := held.find(b"\n")) >= 0:
            line = held[:end].decode("utf-8")
            del held[: end + 1]
            zoo.do(line)

    notifier.activated.connect(ready)
    return notifier


def main() -> None:
    """Run until the window is closed."""
    path, title, locale = (*sys.argv[1:], *("", "Zoo Qt", "")[len(sys.argv) - 1 :])
    app = QApplication(sys.argv[:1])
    app.setApplicationName("zoo-qt")
    translator = QTranslator()
    if locale and translator.load(f"qtbase_{locale}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    zoo = Zoo(path, title)
    notifier = _read_commands(zoo)
    zoo.show()
    QTimer.singleShot(0, lambda: zoo.journal.put(ready=True, pid=os.getpid(), translated=not translator.isEmpty()))
    app.exec()
    notifier.setEnabled(False)


if __name__ == "__main__":
    main()
