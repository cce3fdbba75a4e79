"""Labels as toolkits give them: mnemonics, shortcuts, ellipses, icons' names, five languages."""

from __future__ import annotations

import pytest

from deskhand.policy.keys import Chord, chords
from deskhand.policy.labels import plain
from deskhand.policy.orders import order_risks


@pytest.mark.parametrize(
    ("label", "form"),
    [
        ("_Delete", "delete"), ("&Delete…", "delete"), ("Save _As...", "save as"), ("Don’t Save", "don't save"),
        ("Quit      Ctrl+Q", "quit"), ("Quit\tCtrl+Q", "quit"), ("删除(_D)", "删除"), ("  Delete   file ",
        "delete file"),
        ("edit-delete-symbolic", "edit delete"), ("De\u200blete", "delete"), ("ＤＥＬＥＴＥ", "delete"),
        ("Find & Replace", "find & replace"), ("", ""), ("snake_case", "snakecase"),
    ],
)  # fmt: skip
def test_a_label_is_brought_to_one_form(label: str, form: str) -> None:
    assert plain(label) == form


RISKY = {
    "delete": ["Delete", "Delete All", "Permanently Delete", "Remove", "Empty Trash", "🗑", "user-trash-symbolic",
    "Löschen",
               "Datei löschen", "In den Papierkorb verschieben", "Supprimer", "Mettre à la corbeille", "Eliminar",
               "Borrar",
               "删除", "全部删除", "移到回收站", "Delete “report.odt”", "DELETE ACCOUNT",
               "× Delete", "[Delete]", "Yes, delete it", "No, delete",
               "Confirm deletion", "Permanently remove", "Skip and delete", "Delete comment",
               "Delete customer and links",
               "Close account", "Find and delete", "Search & remove duplicates"],
    "quit": ["Quit", "Exit", "Quit Firefox", "Beenden", "Quitter", "Salir", "退出", "Force Quit", "Save & Exit",
             "application-exit-symbolic"],
    "send": ["Send", "Send Message", "Submit", "Post", "Senden", "E-Mail senden", "Envoyer", "Enviar", "发送",
             "📤 Send",
             "mail-send-symbolic"],
    "pay": ["Pay", "Pay $12.00", "Buy now", "Place order", "Jetzt kaufen", "Payer", "Comprar", "立即购买",
            "Agree & Pay"],
    "install": ["Install", "Install Now", "Uninstall", "Installieren", "Désinstaller", "Instalar", "安装"],
    "power": ["Shut Down", "Restart", "Restart Now", "Power Off…", "Log Out", "Neu starten", "Éteindre", "Reiniciar",
    "关机"],
    "close_unsaved": ["Discard", "Don't Save", "Close without saving", "Verwerfen", "Nicht speichern",
                      "Ne pas enregistrer", "Fermer sans enregistrer", "No guardar", "Descartar", "不保存", "Revert"],
    "overwrite": ["Replace", "Overwrite", "Ersetzen", "Überschreiben", "Remplacer", "Écraser", "Reemplazar", "替换"],
    "shell": ["Run", "Execute", "Run in Terminal", "Enable Macros"],
}  # fmt: skip
HARMLESS = [
    "Cancel", "Keep", "Undo Delete", "Don't Delete", "Restore", "Show Deleted Files", "Delete Decimal Place",
    "Send to Back",
    "Send Backward", "Overwrite Mode", "Exit Full Screen", "Clear Formatting", "Remove Filter", "Installed",
    "Postscript",
    "Posture", "Sendmail settings", "Payload", "Quite good", "Exit Code", "Restart Numbering", "Turn off Grid",
    "Payment history",
    "Buyer", "Rückgängig: Löschen", "Annuler", "Ne pas supprimer", "Deshacer borrar", "撤销删除", "取消",
    "最近删除", "Save", "Save As…", "Open", "Close", "OK", "New", "Print…", "Page Setup", "Insert Row", "Bold",
    "Deleted Items",
    "Removed", "Replaced", "Undelete", "Suspended", "In den Hintergrund", "Formatierung löschen",
    "Dezimalstelle löschen", "OK r22, Delete", "Find and Replace", "Privacy & Security", "Copy and Paste", "×",
    "Redo: Delete",
]  # fmt: skip


@pytest.mark.parametrize(("risk", "label"), [(risk, label) for risk, labels in RISKY.items() for label in labels])
def test_an_order_is_recognised(risk: str, label: str) -> None:
    assert risk in order_risks(label)


@pytest.mark.parametrize("label", HARMLESS)
def test_what_only_resembles_an_order_is_not(label: str) -> None:
    assert order_risks(label) == set()


@pytest.mark.parametrize("label", ["Delete and send", "Send & delete", "Pay and send report"])
def test_of_two_orders_in_one_label_neither_hides_the_other(label: str) -> None:
    assert "send" in order_risks(label)
    assert order_risks(label) & {"delete", "pay"}
    assert order_risks("Send money") == {"pay"}


def test_a_row_is_harmless_to_delete_in_a_document_and_not_elsewhere() -> None:
    assert order_risks("Delete Row", editing=True) == set()
    assert order_risks("Delete Row") == {"delete"}


@pytest.mark.parametrize(
    ("keys", "read"),
    [
        ("ctrl+s", [({"ctrl"}, "s")]), ("Ctrl+Shift+Q", [({"ctrl", "shift"}, "q")]), ("Return", [(set(), "enter")]),
        ("KP_Enter", [(set(), "enter")]), ("ctrl++", [({"ctrl"}, "+")]), ("alt+f x", [({"alt"}, "f"), (set(), "x")]),
        ("cmd+Del", [({"super"}, "delete")]), (" ", [(set(), "space")]), ("shift", [({"shift"}, "")]),
        ("ctrl + q", [({"ctrl"}, "q")]), ("Control_L+q", [({"ctrl"}, "q")]), ("Alt_R+F4", [({"alt"}, "f4")]),
        ("windows+q", [({"super"}, "q")]), ("ISO_Enter", [(set(), "enter")]),
        ("NumpadEnter", [(set(), "enter")]), ("num_delete", [(set(), "delete")]), ("numlock", [(set(), "num_lock")]),
    ],
)  # fmt: skip
def test_chords_are_read(keys: str, read: list[tuple[set[str], str]]) -> None:
    assert chords(keys) == [Chord(frozenset(mods), key) for mods, key in read]
