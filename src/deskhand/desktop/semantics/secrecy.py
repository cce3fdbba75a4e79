"""Which fields take a secret. One rule for what the gate asks about and what the record withholds."""

from __future__ import annotations

import re
import unicodedata

from deskhand.types.nodes import Node, State

_ENTRIES = frozenset({"textbox", "combobox", "spinbutton", ""})
_WORDS = (
    "password", "passphrase", "passcode", "passwd", "pwd", "pin", "pin code", "secret", "token", "api key",
    "access key", "private key", "recovery key", "security code", "verification code", "one-time code", "otp", "cvv",
    "cvc",
    "passwort", "kennwort", "geheimnis", "geheimzahl", "sicherheitscode", "mot de passe", "code secret", "jeton",
    "contraseña", "clave de acceso", "código de seguridad",
)  # fmt: skip
_NO_SPACES = ("密码", "口令", "密碼", "令牌")
_WHOLE = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _WORDS))})s?(?!\w)")


def takes_secret(node: Node | None) -> bool:
    """Whether it takes a password, PIN, secret or token: by its state, or as an entry by its name."""
    if node is None:
        return False
    return node.has(State.PROTECTED) or any(
        names_secret(node.role, name) for name in (node.name or node.description, node.placeholder)
    )


def names_secret(role: str, name: str) -> bool:
    """Whether an entry of this name takes a secret; other roles only talk about one."""
    if role not in _ENTRIES:
        return False
    text = unicodedata.normalize("NFKC", name).casefold()
    readings = (re.sub(r"[_&]", "", text), re.sub(r"[_&]", " ", text))  # a mnemonic's mark, or between two words
    return any(_WHOLE.search(text) for text in readings) or any(word in text for word in _NO_SPACES)
