"""Paragraphs of a document: written exactly, past the application's corrections.

Word processors correct what is typed (dashes, quotes, capitals, words they take for misspelled, words they complete).
So text goes in through the accessibility bus, at the caret; Return and Tab stay keys, for they make paragraphs and
move between cells. Every piece is read back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from deskhand.desktop.act.evidence import Outcome, before
from deskhand.desktop.act.scene import REACT, Scene
from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.targets import Resolved
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, Node, State
from deskhand.types.steps import Step

_PIECES = re.compile(r"[\n\t]|[^\n\t]+")
_CORRECTED = 0.7
"""How much of a text is still the same after a correction, at the least (1: all of it)."""
_COMPARED = 400
"""Characters of a difference that are compared one by one, which takes a time that grows with their square."""
_KEYS = {"\n": "Return", "\t": "Tab"}


def is_prose(node: Node) -> bool:
    """Whether it is a paragraph of a document that takes text through the accessibility bus."""
    return node.role in roles.PROSE and node.has(State.EDITABLE) and node.can(Ability.EDIT_TEXT)


async def set_prose(scene: Scene, step: Step, target: Resolved, text: str) -> Outcome:
    """Replace one paragraph's text, one line, and nothing else. A list's number in front of it stays."""
    node, old = target.node, await _text(scene, target.node)
    if text == old:
        return Outcome(target.words, "unchanged", old, old)
    was = await before(scene, node)
    scene.sending("accessibility")
    kept = await scene.platform.set_text(node.key, text)
    await scene.settle(was.serial)
    return await _kept(scene, target, old, old[:kept] + text.removeprefix(old[:kept]))


def require_lines(step: Step, target: Resolved, text: str) -> None:
    """Several lines become paragraphs, by Return, in a text document alone. What is refused has sent nothing."""
    if "\n" in text and not _in_text_document(target.node):
        message = f"{target.words} is one paragraph: {step.do} one line"
        raise DeskhandError("value_rejected", message, target=target.ref)
    if "\n" in text and step.route == "accessibility":
        message = f"lines become paragraphs by the Return key: leave route out, or {step.do} one line"
        raise DeskhandError("unsupported_action", message, target=target.ref)


def _in_text_document(node: Node) -> bool:
    """Whether it is a paragraph of a text document; one of a shape is not split by Return."""
    return node.has(State.MULTISELECTABLE)


async def append_prose(scene: Scene, step: Step, target: Resolved, text: str) -> Outcome:
    """Add one line at a paragraph's end."""
    old = await _text(scene, target.node)
    if not text:
        return Outcome(target.words, "unchanged", old, old)
    was = await before(scene, target.node)
    scene.sending("accessibility")
    await scene.platform.insert_text(target.node.key, -1, text)
    await scene.settle(was.serial)
    return await _kept(scene, target, old, old + text)


async def _kept(scene: Scene, target: Resolved, old: str, wanted: str) -> Outcome:
    now = await scene.again(target.node.key)
    if now is None:
        message = f"{target.words} went away while it was written; look again before going on"
        raise DeskhandError("outcome_unknown", message, "unknown", target.ref)
    held = await _text(scene, now)
    if held == wanted:
        return Outcome(target.words, "unchanged" if held == old else "verified", old, held)
    raise DeskhandError(
        "value_rejected", f"{target.words} did not keep what was written", sent="yes", target=target.ref,
        expected=quote(wanted[:80]), found=quote(held[:80]),
    )  # fmt: skip


async def add_paragraphs(scene: Scene, target: Resolved, lines: Sequence[str], first: Outcome) -> Outcome:
    """Make more paragraphs behind the one that has the focus, as Return makes them; ``first``: what it has become."""
    start = await _text(scene, await scene.again(target.node.key) or target.node)
    await scene.platform.select_text(target.node.key, len(start), len(start))
    hand = _Hand(scene, target.node, target.window.key, {target.node.key: start}, at=len(start))
    for line in lines:
        await hand.write("\n")
        if line:
            await hand.insert(line)
    exact = await hand.all_stands()
    after = "\n".join((start, *lines)) if exact else start
    note = f"{len(lines) + 1} paragraphs" if exact else "the application made something else of it"
    return Outcome(target.words, "verified" if exact else "changed", first.before, after, note=note)


async def type_prose(scene: Scene, target: Resolved, text: str) -> Outcome:
    """Put text in at the caret of the paragraph that has the focus; Return and Tab are pressed.

    What the application makes of a word at one of these keys is taken back.
    """
    old, hand = await _text(scene, target.node), _Hand(scene, target.node, target.window.key)
    for piece in _PIECES.findall(text):
        await hand.write(piece)
    exact = await hand.all_stands()
    now = await scene.again(target.node.key)
    after = await _text(scene, now) if now is not None else None
    note = "" if exact else "the application made something else of it"
    return Outcome(target.words, "verified" if exact else "changed", old, after, note=note)


@dataclass
class _Hand:
    """Writes piece by piece. ``node`` is the paragraph that has the caret, None once the focus is elsewhere."""

    scene: Scene
    node: Node | None
    window: str  # the key of the window that all is written in
    wanted: dict[str, str] = field(default_factory=dict)  # what paragraphs are to hold, by key
    fronts: list[str] = field(default_factory=list)  # what was split off in front of the caret
    at: int = -1  # the caret, where text was put in before it

    async def write(self, piece: str) -> None:
        """One stretch of text, or one of the keys."""
        node = await self._here()
        if piece == "\n" or (piece == "\t" and not await self._takes_tabs(node)):
            await self._leave(node, piece)
        else:
            await self._insert(node, piece)

    async def insert(self, text: str) -> None:
        """As it is, a tab too."""
        await self._insert(await self._here(), text)

    async def _here(self) -> Node:
        """The paragraph to write in, while its window is active and the focus in a paragraph of it.

        A Return or a Tab may have opened a dialog, or left the text: what comes next is not meant for that.
        """
        events = self.scene.platform.events
        serial, focus = events.serial, await self._focus()
        if focus is None and await events.changed(serial, min(REACT, self.scene.left)):
            focus = await self._focus()
        if focus is None:
            active = self.scene.world.window_words(self.scene.world.active(await self.scene.world.windows()))
            message = "the focus left the text that was typed into; the rest was not typed, look again"
            raise DeskhandError("focus_lost", message, sent=self.scene.sent, found=active)
        return self.node or focus

    async def _focus(self) -> Node | None:
        """What has the focus, where that is a paragraph of the window."""
        active = self.scene.world.active(await self.scene.world.windows())
        focus = await self.scene.platform.focused()
        return focus if active.key == self.window and focus is not None and is_prose(focus) else None

    async def _takes_tabs(self, node: Node) -> bool:
        """In a text document a tab is a character, but for cells, which it leaves."""
        above = await self.scene.again(node.parent) if node.parent else None
        return _in_text_document(node) and (above is None or above.role != "cell")

    async def _insert(self, node: Node, piece: str) -> None:
        platform, now = self.scene.platform, await self.scene.again(node.key) or node
        chosen, old = await platform.selection(node.key), await _text(self.scene, now)
        first, last = sorted(chosen) if chosen is not None else (len(old), len(old))
        serial = platform.events.serial
        self.scene.sending("accessibility")
        await platform.replace_text(node.key, first, last, piece)
        self.at = first + len(piece)
        await platform.select_text(node.key, self.at, self.at)
        await self.scene.settle(serial, react=0.2)
        self.wanted[node.key] = old[:first] + piece + old[last:]

    async def _leave(self, node: Node, piece: str) -> None:
        """Return or Tab: at the end of a paragraph it stays what it is, in its middle it is split."""
        wanted = self.wanted.get(node.key)
        if wanted is None or piece == "\n":
            self.wanted.pop(node.key, None)
        await self._press(piece)
        if wanted is None:
            return
        front = wanted if piece == "\t" else wanted[: self.at]
        held = await self._held(node.key)
        if held is not None and _share_alike(held, front) >= _CORRECTED:
            self.wanted[node.key] = front
            await self._mend(node.key, held, front)
        else:  # what was behind the caret has kept the object, or the application did more than correct
            self.fronts.append(front)

    async def _press(self, piece: str) -> None:
        platform, serial = self.scene.platform, self.scene.platform.events.serial
        key = _KEYS.get(piece)
        self.scene.sending("keyboard")
        await (platform.press_chord(key) if key is not None else platform.type_text(piece))
        await self.scene.settle(serial)
        self.node = await self._focus()

    async def _mend(self, key: str, held: str, wanted: str) -> None:
        """Take back what the application corrected; only the characters that differ are touched."""
        if held == wanted:
            return
        head, tail = _ends_alike(held, wanted)
        end = len(wanted) - tail
        await self.scene.platform.replace_text(key, head, len(held) - tail, wanted[head:end])

    async def _held(self, key: str) -> str | None:
        node = await self.scene.again(key)
        return await _text(self.scene, node) if node is not None else None

    async def all_stands(self) -> bool:
        """Whether every paragraph holds what it is to hold, read again."""
        held = [await self._held(key) == wanted for key, wanted in self.wanted.items()]
        if not self.fronts:
            return all(held)
        window = await self.scene.world.snapshot(await self.scene.world.window(None))
        shown = {node.text for node in window.nodes.values() if node.role in roles.PROSE}
        return all(held) and all(front in shown for front in self.fronts)


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _ends_alike(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts have in common at their start, and behind that at their end."""
    head = _alike(one, other)
    rest = min(len(one), len(other)) - head
    return head, _alike(one[::-1][:rest], other[::-1][:rest])


def _share_alike(one: str, other: str) -> float:
    """How much of two texts is the same, 0 to 1. Between their common ends only a stretch is compared, for its cost."""
    head, tail = _ends_alike(one, other)
    inner, outer = one[head : len(one) - tail][:_COMPARED], other[head : len(other) - tail][:_COMPARED]
    blocks = SequenceMatcher(None, inner, outer, autojunk=False).get_matching_blocks()
    same = head + tail + sum(block.size for block in blocks)
    return 2 * same / max(1, len(one) + len(other))


async def _text(scene: Scene, node: Node) -> str:
    if node.text is None or node.text_length <= len(node.text):
        return node.text or ""
    return await scene.platform.text(node.key, 0, -1)
