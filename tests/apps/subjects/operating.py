"""What is asked of every window alike."""

from __future__ import annotations

from tests.apps.subjects.stage import Stage


async def operate_window(stage: Stage, title: str) -> None:
    """Every operation but ``close``, each shown by the window manager."""
    start = await stage.window_is(title, lambda w: True, "the window")
    w = stage.window
    if "maximized_vert" in start.states:
        await stage.do("window", on=w, op="restore")
        start = await stage.window_is(title, lambda c: "maximized_vert" not in c.states, "it is not maximised")
    await stage.do("window", on=w, op="move", rect=[60, 70])
    await stage.window_is(title, lambda c: c.frame == (60, 70, *start.frame[2:]), "it moved, as large as it was")
    wanted = (64, 76, start.frame[2] - 8, start.frame[3] + 12)
    effect = await stage.do("window", on=w, op="move", rect=wanted, verdict=None)
    resized = await stage.window_is(title, lambda c: c.frame[:2] == wanted[:2], "it moved again")
    assert effect.after == ",".join(map(str, resized.frame))
    assert (effect.verdict == "verified") == all(abs(a - b) <= 1 for a, b in zip(resized.frame, wanted, strict=True))
    await stage.do("window", on=w, op="maximise")
    await stage.window_is(title, lambda c: {"maximized_vert", "maximized_horz"} <= c.states, "it is maximised")
    await stage.do("window", on=w, op="restore")
    await stage.window_is(title, lambda c: "maximized_vert" not in c.states, "it is as it was")
    await stage.do("window", on=w, op="minimise")
    await stage.window_is(title, lambda c: "hidden" in c.states, "it is minimised")
    await stage.do("window", on=w, op="activate")
    await stage.window_is(title, lambda c: "hidden" not in c.states and c.active, "it is active")
    await stage.do("window", on=w, op="activate", verdict="unchanged")


async def dialog_gone(stage: Stage, title: str) -> None:
    """Wait until no window has this in its title."""
    await stage.until(lambda: stage.client(title), lambda client: client is None, f"{title} closed")


async def open_by_letter(stage: Stage, keys: str = "alt+f") -> None:
    """A menu by the letter of its title: opened each time, and each time still open when the keys are up."""
    for _ in range(2):
        await stage.do("key", keys=keys, verdict=None)
        await stage.popups(True)
        await stage.platform.events.quiet(0.2, 3.0)
        await stage.popups(True)
        await stage.do("key", keys="Escape", verdict=None)
        await stage.popups(False)
    await stage.do("key", keys="Escape", verdict=None)  # Qt's menu bar keeps the focus when its menu closes
