"""What risky buttons and menu items are called, in English, German, French, Spanish and Chinese.

All in the form that ``labels.plain`` gives. A label is risky when it *begins* with a phrase (an order: "Delete
file"), or, for German, ends with a verb ("Datei löschen"); unless what follows makes it harmless ("Delete decimal
place"), or it begins with words that turn it around ("Undo delete", "Keep").
"""

from __future__ import annotations

from deskhand.policy.risks import Risk

LEADING: dict[Risk, tuple[str, ...]] = {
    "delete": (
        "delete", "remove", "erase", "wipe", "shred", "purge", "destroy", "trash", "permanently delete",
        "move to trash", "move to the trash", "move to bin", "move to the bin", "move to rubbish bin",
        "move to wastebasket", "move to the wastebasket", "move to recycle bin", "send to trash",
        "send to recycle bin",
        "empty trash", "empty the trash", "empty bin", "empty rubbish bin", "empty wastebasket", "empty recycle bin",
        "clear history", "clear recent history", "clear browsing data", "clear data", "clear all data",
        "clear cookies", "clear cache", "clear everything", "factory reset", "reset to factory",
        "format disk", "format drive", "format volume", "format partition", "edit delete", "user trash", "list remove",
        "deletion", "throw away", "move to deleted items", "deactivate account", "deactivate my account",
        "close account", "close my account", "drop table", "drop database", "🗑", "🗑️",
        "löschen", "endgültig löschen", "entfernen", "in den papierkorb", "papierkorb leeren", "in den müll",
        "müll leeren", "verlauf leeren",
        "supprimer", "effacer", "mettre à la corbeille", "placer dans la corbeille", "déplacer vers la corbeille",
        "jeter à la corbeille", "vider la corbeille", "retirer", "enlever", "éliminer",
        "eliminar", "borrar", "suprimir", "quitar", "mover a la papelera", "mover a papelera", "enviar a la papelera",
        "vaciar la papelera", "vaciar papelera",
        "删除", "永久删除", "彻底删除", "移动到回收站", "移到回收站", "移至回收站", "移到废纸篓", "移至废纸篓",
        "清空回收站",
        "清空废纸篓", "清倒废纸篓", "移除", "清除历史", "清除数据", "格式化",
    ),
    "overwrite": (
        "overwrite", "replace", "replace all", "replace file", "save over",
        "überschreiben", "ersetzen", "alle ersetzen", "écraser", "remplacer", "sobrescribir", "sobreescribir",
        "reemplazar", "覆盖", "替换",
    ),
    "send": (
        "send", "submit", "post", "publish", "tweet", "mail send", "document send",
        "senden", "absenden", "abschicken", "jetzt senden", "veröffentlichen", "posten",
        "envoyer", "soumettre", "publier", "enviar", "publicar", "发送", "提交", "发布", "发表",
    ),
    "pay": (
        "pay", "buy", "purchase", "order now", "place order", "place your order", "confirm order", "confirm payment",
        "confirm purchase", "confirm and pay", "complete order", "complete purchase", "complete payment",
        "checkout now",
        "place bid", "bid now",
        "subscribe", "donate", "transfer money", "send money", "make payment", "submit payment", "submit order",
        "bezahlen", "jetzt bezahlen", "zahlen", "jetzt kaufen", "kaufen", "bestellen", "jetzt bestellen",
        "zahlungspflichtig bestellen", "kostenpflichtig bestellen", "spenden", "überweisen",
        "payer", "acheter", "commander", "passer la commande", "valider la commande", "faire un don",
        "pagar", "comprar", "realizar pedido", "realizar el pedido", "hacer pedido", "donar",
        "支付", "付款", "购买", "立即购买", "下单", "提交订单", "确认支付",
    ),
    "credentials": ("authenticate", "authentifizieren", "legitimieren", "s'authentifier", "autenticar", "认证"),
    "close_unsaved": (
        "discard", "don't save", "do not save", "dont save", "close without saving", "quit without saving",
        "exit without saving", "leave without saving", "continue without saving", "close anyway", "quit anyway",
        "leave page", "leave this page", "lose changes", "abandon changes", "revert", "revert to saved",
        "verwerfen", "änderungen verwerfen", "nicht speichern", "ohne speichern", "ohne zu speichern",
        "seite verlassen",
        "trotzdem schließen", "zurücksetzen auf",
        "ne pas enregistrer", "ne pas sauvegarder", "fermer sans enregistrer", "quitter sans enregistrer",
        "abandonner", "ignorer les modifications", "annuler les modifications", "quitter la page",
        "no guardar", "descartar", "cerrar sin guardar", "salir sin guardar", "abandonar", "abandonar la página",
        "不保存", "放弃", "丢弃", "不保存并关闭", "关闭而不保存",
    ),
    "quit": (
        "application exit", "force stop", "terminate",
        "quit", "exit", "application quit", "app quit", "beenden", "programm beenden", "quitter", "salir",
        "退出", "结束程序",
        "force quit", "end task", "kill process", "end process", "force close", "kill",
    ),
    "install": (
        "install", "uninstall", "reinstall", "upgrade", "update all", "update now", "update and restart",
        "update and install", "add and install",
        "installieren", "jetzt installieren", "deinstallieren", "aktualisieren und neu starten", "alle aktualisieren",
        "installer", "désinstaller", "tout mettre à jour", "instalar", "desinstalar", "actualizar todo",
        "安装", "卸载", "立即安装", "全部更新",
    ),
    "power": (
        "shut down", "shutdown", "power off", "turn off", "switch off", "restart", "reboot", "log out", "log off",
        "system shutdown", "system reboot", "system log out", "sign me out", "log me out",
        "logout", "sign out", "suspend", "hibernate", "end session", "halt",
        "herunterfahren", "ausschalten", "neu starten", "neustart", "neustarten", "abmelden", "ruhezustand",
        "bereitschaft", "sitzung beenden",
        "éteindre", "redémarrer", "se déconnecter", "fermer la session", "mettre en veille", "hiberner",
        "apagar", "reiniciar", "cerrar sesión", "cerrar la sesión", "suspender", "hibernar",
        "关机", "重启", "重新启动", "注销", "关闭电源", "休眠", "挂起",
    ),
    "shell": (
        "run in terminal", "run anyway", "run as", "open as root", "open as administrator", "edit as root", "execute",
        "execute in terminal", "launch anyway", "trust and launch",
        "allow launching", "enable macros", "run macro", "run command", "run program",
        "im terminal ausführen", "als administrator", "als root", "ausführen", "trotzdem ausführen",
        "makros aktivieren", "makro ausführen",
        "exécuter", "en tant qu'administrateur", "lancer dans un terminal", "activer les macros", "ejecutar",
        "como administrador", "habilitar macros",
        "执行", "以管理员身份", "在终端中运行", "仍然运行", "启用宏", "运行宏",
    ),
}  # fmt: skip

TRAILING: dict[Risk, tuple[str, ...]] = {
    "delete": ("löschen", "entfernen", "in den papierkorb verschieben", "in den papierkorb werfen", "permanently"),
    "overwrite": ("überschreiben", "ersetzen"),
    "send": ("senden", "absenden", "abschicken", "veröffentlichen"),
    "pay": ("bezahlen", "kaufen", "bestellen", "and pay"),
    "close_unsaved": ("verwerfen", "nicht speichern", "ohne speichern schließen", "ohne speichern beenden",
                      "without saving", "sans enregistrer", "sin guardar"),
    "quit": ("beenden",),
    "install": ("installieren", "deinstallieren"),
    "power": ("herunterfahren", "neu starten", "ausschalten"),
    "shell": ("ausführen",),
}  # fmt: skip
"""Endings: where the verb stands last."""

NARROW: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("restart", "turn off", "switch off", "suspend", "halt", "reboot", "shut down", "shutdown", "power off",
         "neu starten", "neustart", "neustarten", "ausschalten", "redémarrer", "éteindre", "reiniciar", "apagar",
         "suspender", "重启", "重新启动"),
        ("now", "anyway", "and", "computer", "pc", "system", "device", "machine", "session", "in", "to", "your",
         "this", "jetzt", "rechner", "gerät", "und", "maintenant", "l'ordinateur", "ordinateur", "et", "le système",
         "ahora", "el equipo", "el ordenador", "equipo", "sistema", "y", "电脑", "计算机", "系统", "firefox", "app"),
    ),
    **dict.fromkeys(("post", "tweet", "posten"), ("now", "reply", "comment", "message", "update", "it", "answer",
    "jetzt")),
    **dict.fromkeys(("trash",), ("it", "file", "files", "items", "selected")),
    **dict.fromkeys(("kill",), ("process", "application", "app", "task", "now")),
    **dict.fromkeys(("installer",), ("maintenant", "le", "la", "les", "l'application", "et")),
    **dict.fromkeys(("upgrade",), ("now", "all", "system", "packages", "and")),
}  # fmt: skip
"""Verbs with many harmless uses: risky alone, or with one of these beside them."""

EXACT: dict[Risk, tuple[str, ...]] = {
    "shell": ("run", "run now", "运行", "lancer"),
    "send": ("share now", "reply and send"),
    "delete": ("bin", "move to bin", "clear all history", "format"),
    "close_unsaved": ("leave", "reload anyway", "revert changes", "reset changes"),
    "pay": ("order", "checkout and pay"),
    "install": ("update system", "apply updates"),
    "power": ("sleep", "standby"),
}
"""Words that are risky only when they are the whole label."""

STRESSING = (
    "yes", "ok", "okay", "no,", "nein,", "non,", "sure", "confirm", "really", "just", "please", "now", "permanently",
    "completely",
    "immediately", "force", "definitely", "i want to", "ja", "bitte", "oui", "sí", "si",
)  # fmt: skip
"""Beginnings that make an order no other: "Yes, delete", "Permanently remove"."""

TURNED = (
    "undo", "redo", "cancel", "keep", "don't delete", "do not delete", "don't remove", "do not remove", "don't send",
    "do not send", "don't replace", "do not replace", "don't overwrite", "do not overwrite", "don't quit",
    "do not quit", "don't install", "do not install", "don't restart", "do not restart", "don't pay", "don't discard",
    "restore", "undelete", "recover", "never", "show", "view", "skip", "go back", "back", "help", "about", "find",
    "search", "select", "mark", "schedule", "configure", "preview",
    "rückgängig", "wiederherstellen", "wiederholen", "abbrechen", "behalten", "nicht löschen", "nicht entfernen",
    "nicht senden", "nicht ersetzen", "nicht überschreiben", "nicht beenden", "nicht installieren", "nie", "anzeigen",
    "suchen", "auswählen",
    "annuler", "rétablir", "conserver", "garder", "restaurer", "ne pas supprimer", "ne pas envoyer",
    "ne pas remplacer", "ne pas quitter", "ne jamais", "afficher", "rechercher", "sélectionner",
    "deshacer", "rehacer", "cancelar", "conservar", "mantener", "restaurar", "no eliminar", "no borrar", "no enviar",
    "no reemplazar", "no salir", "nunca", "mostrar", "buscar", "seleccionar",
    "撤销", "撤消", "重做", "恢复", "取消", "保留", "不删除", "不发送", "不替换", "不覆盖", "不退出", "显示", "查看",
    "查找", "选择",
)  # fmt: skip
"""Beginnings that turn a label into something harmless; ``STILL`` names what is nevertheless risky."""
STILL = ("annuler les modifications", "find and delete", "select and delete")

HARMLESS_OBJECTS: dict[Risk, tuple[str, ...]] = {
    "delete": (
        "decimal", "decimals", "decimal place", "format", "formatting", "formats", "direct formatting", "filter",
        "filters", "break", "breaks", "page break", "row break", "column break", "row", "rows", "column", "columns",
        "cell", "cells", "word", "words", "line", "lines", "character", "characters", "to end of line",
        "to line end", "to start of line", "to word end", "space", "spaces", "trailing", "blank lines", "highlight",
        "highlighting",
        "indent", "border", "borders", "underline", "hyperlink", "hyperlinks", "link", "links", "selection",
        "print range", "print ranges", "split", "freeze", "outline", "grouping", "arrow", "dependents", "precedents",
        "precedent", "dependent", "background", "bullets", "numbering", "sparkline", "sparklines", "sparkline group",
        "comment", "comments",
        "traces", "contents", "style", "styles", "from favorites",
        "from favourites", "from bookmarks", "from recent", "from dock", "from panel", "from selection",
        "from group", "focus", "zoom", "accents", "empty paragraphs", "duplicates",
        "dezimalstelle", "formatierung", "filter", "zeilen", "zeile", "spalten", "spalte", "zellen", "zelle",
        "umbruch",
        "wort", "zeichen", "rahmen", "hyperlink", "markierung", "hervorhebung", "leerzeichen", "druckbereich",
        "une décimale", "la décimale", "décimale", "le formatage", "la mise en forme", "mise en forme", "le filtre",
        "filtre", "les lignes", "lignes", "ligne", "la ligne", "les colonnes", "colonnes", "colonne", "la colonne",
        "les cellules", "cellules", "le mot", "mot", "le saut", "saut", "les espaces", "le lien", "lien",
        "hyperlien", "la sélection", "des favoris",
        "decimal", "posición decimal", "formato", "el formato", "filtro", "el filtro", "filas", "fila", "columnas",
        "columna", "celdas", "celda", "palabra", "salto", "espacios", "enlace", "hiperenlace", "hipervínculo",
        "la selección", "de favoritos",
        "小数位", "格式", "筛选", "行", "列", "单元格", "分隔符", "分页符", "空格", "超链接", "链接", "高亮", "边框",
        "选区",
    ),
    "overwrite": ("mode", "modus", "with", "in selection", "within", "from", "text", "font", "image", "image…",
                  "tabs",
                  "tabs with spaces", "spaces", "formatting", "on view",
                  "schrift", "bild", "durch", "police", "image par", "fuente", "imagen", "模式", "图片", "字体"),
    "send": (
        "to back", "backward", "backwards", "to background", "behind", "to bottom", "back one", "to front",
        "to layer",
        "to next page", "to new window", "to workspace", "to monitor", "settings", "options", "preferences", "key",
        "keys",
        "copy to clipboard", "to clipboard", "processing", "production", "card", "office",
        "à l'arrière", "à l'arrière-plan", "vers l'arrière", "derrière", "al fondo", "atrás", "hacia atrás", "detrás",
        "a segundo plano", "到后面", "到底层", "设置", "选项",
    ),
    "pay": ("attention", "per view settings", "history", "slip", "ment", "options", "pal settings"),
    "close_unsaved": ("zoom", "to default view", "sort"),
    "quit": (
        "full screen", "fullscreen", "full-screen", "print preview", "preview", "page preview", "presentation",
        "slideshow", "slide show", "reading mode", "reader view", "edit mode", "group", "code", "search",
        "focus mode",
        "distraction free mode", "kiosk preview", "picture in picture", "picture-in-picture", "la pleine",
        "le plein écran",
        "plein écran", "l'aperçu", "le mode", "la vista", "de pantalla completa", "del modo", "pantalla completa",
        "全屏", "预览", "ring",
    ),
    "install": ("ed", "guide", "log", "logs", "date", "location", "history", "settings"),
    "power": (),
    "credentials": (),
    "shell": ("styles", "bar"),
    "unknown_focus": (),
}  # fmt: skip
"""What may follow (or, in German, precede) a verb and takes the harm out of it."""

GO_AHEAD = (
    "ok", "okay", "yes", "continue", "proceed", "confirm", "apply", "accept", "allow", "do it", "i understand",
    "next",
    "finish", "go ahead", "yes to all", "agree", "sure", "got it, continue", "save", "move", "copy", "close", "leave",
    "ja", "weiter", "fortfahren", "fortsetzen", "bestätigen", "anwenden", "akzeptieren", "zulassen", "fertigstellen",
    "speichern", "schließen", "ja, alle",
    "oui", "continuer", "poursuivre", "confirmer", "valider", "appliquer", "accepter", "autoriser", "terminer",
    "enregistrer", "fermer",
    "sí", "si", "aceptar", "continuar", "confirmar", "aplicar", "permitir", "finalizar", "guardar", "cerrar",
    "是", "确定", "确认", "继续", "应用", "接受", "允许", "完成", "好", "保存", "关闭",
)  # fmt: skip
"""Labels that mean whatever their dialog asks."""
SAVES = ("save", "speichern", "enregistrer", "guardar", "保存")
"""Of these, the ones that rescue changes: they lose nothing, but may overwrite."""
SAY_NO = ("no", "nein", "non", "否", "不", "no to all")
"""Labels that lose changes in a dialog that offers to save them."""
WAY_OUT = ("cancel", "no", "abbrechen", "nein", "annuler", "non", "cancelar", "取消", "否", "keep", "back", "stay",
           "don't", "abort", "close", "later", "not now", "schließen", "skip")  # fmt: skip
"""A dialog without one of these beside its button only informs."""

DIALOG_SAYS: dict[Risk, tuple[str, ...]] = {
    "delete": (
        "delete", "erase", "remove", "trash", "be deleted", "permanently", "wipe", "all data", "be removed",
        "deletion", "removal",
        "löschen", "gelöscht", "entfernen", "papierkorb", "supprimer", "effacer", "supprimé", "corbeille", "eliminar",
        "borrar", "eliminará", "papelera", "删除", "清空", "移除",
    ),
    "overwrite": (
        "overwrite", "replace", "replacing", "overwriting", "already exists", "exists already", "be overwritten",
        "überschreiben", "überschrieben", "ersetzen", "ersetzt", "existiert bereits", "bereits vorhanden",
        "écraser", "écrasé", "remplacer", "existe déjà", "sobrescribir", "reemplazar", "ya existe", "覆盖", "替换",
        "已存在",
    ),
    "close_unsaved": (
        "will be lost", "lose", "be lost", "discard", "without saving", "unsaved", "be discarded", "not be saved",
        "gehen verloren", "verloren", "verwerfen", "ungespeicherte", "seront perdues", "perdre", "non enregistrées",
        "se perderán", "perderán", "perder", "sin guardar", "descartar", "丢失", "未保存", "放弃",
    ),
    "quit": ("quit", "exit", "beenden", "quitter", "salir", "退出"),
    "send": ("send", "be sent", "submit", "publish", "senden", "gesendet", "envoyer", "enviar", "发送", "提交"),
    "pay": ("pay", "payment", "purchase", "be charged", "buy", "order", "bezahlen", "kaufen", "bestellen", "payer",
            "paiement", "acheter", "pagar", "pago", "comprar", "支付", "付款", "购买"),
    "install": ("install", "uninstall", "installed", "be installed", "installieren", "installer", "instalar", "安装",
                "卸载"),
    "power": ("shut down", "power off", "restart", "reboot", "log out", "turn off", "herunterfahren", "neu starten",
              "abmelden", "ausschalten", "éteindre", "redémarrer", "déconnecter", "apagar", "reiniciar",
              "cerrar sesión", "关机", "重启", "注销"),
    "shell": ("execute", "run the command", "untrusted", "macros", "ausführen", "exécuter", "ejecutar", "执行", "宏"),
}  # fmt: skip
"""What a dialog says when its OK does harm. Whole words: "was deleted" informs, "delete" asks."""
ANNOUNCES = ("will", "about to", "going to", "are you sure", "cannot be undone", "can't be undone", "werden", "wird",
             "va être", "seront", "sera", "irréversible", "se eliminará", "se eliminarán", "será", "serán", "将",
             "无法撤销")  # fmt: skip
"""A dialog that says so has not done it yet."""
OFFERS_TO_SAVE = ("save", "saved", "saving", "unsaved", "speichern", "gespeichert", "enregistrer", "enregistrées",
                  "enregistrement", "guardar", "guardado", "guardados", "保存")  # fmt: skip

CLOSES = (
    "close", "close window", "close tab", "close document", "close file", "close all", "close all windows",
    "close project", "window close", "close all tabs", "close other tabs", "×", "✕", "✖", "x",
    "schließen", "fenster schließen", "tab schließen", "dokument schließen", "alle schließen",
    "fermer", "fermer la fenêtre", "fermer l'onglet", "tout fermer", "cerrar", "cerrar ventana", "cerrar pestaña",
    "cerrar todo", "关闭", "关闭窗口", "关闭标签页", "全部关闭",
)  # fmt: skip
"""Harmless, unless the window looks unsaved."""
RELOADS = ("reload", "neu laden", "recharger", "recargar", "重新加载")
UNSAVED_MARKS = (
    "(modified)", "[modified]", "unsaved", "[+]", "(unsaved)", "[geändert]", "(geändert)", "nicht gespeichert",
    "[modifié]", "(modifié)", "non enregistré", "[modificado]", "(modificado)", "sin guardar", "[已修改]", "(已修改)",
    "未保存",
)  # fmt: skip
SEARCHES = ("find", "search", "find & replace", "find and replace", "find next", "suchen", "suchen und ersetzen",
            "rechercher", "rechercher et remplacer", "buscar", "buscar y reemplazar", "查找", "查找和替换",
            "查找与替换")  # fmt: skip
PASTES = ("paste", "einfügen", "coller", "pegar", "粘贴")
SENDERS = ("send", "senden", "absenden", "envoyer", "enviar", "发送")
TRASH_PLACES = (
    "trash",
    "rubbish bin",
    "wastebasket",
    "recycle bin",
    "papierkorb",
    "müll",
    "corbeille",
    "papelera",
    "回收站",
    "废纸篓",
)
