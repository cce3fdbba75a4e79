"""Surfaces, the window under a point, and asking the window manager: on real windows."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.base import WindowOperation
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.surfaces import Surface
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from tests.apps.x11_rig import Editor, Rig, eventually, mousepad, plain_window, rig

pytestmark = [pytest.mark.apps]


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture
async def editor(made: Rig) -> AsyncIterator[Editor]:
    async with mousepad(made) as started:
        yield started


async def now(editor: Editor) -> Surface:
    """The editor's window as it is now."""
    return await editor.rig.surface(lambda one: one.xid == editor.surface.xid, "the window is listed")


@pytest.mark.proves("A1")
async def test_a_window_is_described_as_the_window_manager_shows_it(editor: Editor) -> None:
    surface = await now(editor)

    assert surface.title.endswith("Mousepad")
    assert (surface.class_name, surface.instance, surface.pid) == ("Mousepad", "mousepad", editor.pid)
    assert surface.active
    assert not any((surface.popup, surface.minimised, surface.modal, surface.maximised))
    assert surface.kind == "normal"
    assert surface.frame.y < surface.bounds.y, "the title bar lies above the client"
    assert surface.frame.contains(*surface.bounds.centre)
    said = editor.rig.witness(f'server.create_resource_object("window", {surface.xid}).get_geometry().width')
    assert surface.bounds.w == int(said)


@pytest.mark.proves("A1", "report-20")
async def test_an_open_menu_is_a_surface_on_top_and_gets_the_click(editor: Editor) -> None:
    await editor.rig.hands.chord("alt+f")
    menu = await editor.rig.surface(lambda one: one.popup and one.pid == editor.pid, "the menu is listed")
    surfaces = await editor.rig.windows.surfaces()

    assert surfaces[-1].xid == menu.xid
    assert menu.kind == "popup_menu"
    assert menu.transient_for == editor.surface.xid
    assert await editor.rig.windows.window_at(*menu.bounds.centre) == menu.xid

    await editor.rig.hands.chord("Escape")
    await eventually(lambda: _gone(editor.rig, menu.xid), "the menu is no longer listed")


async def _gone(made: Rig, xid: int) -> bool:
    return all(one.xid != xid for one in await made.windows.surfaces())


@pytest.mark.proves("report-15", "A6")
async def test_of_two_overlapping_windows_the_upper_one_gets_the_click(editor: Editor) -> None:
    windows = editor.rig.windows
    async with mousepad(editor.rig) as other:
        for one in (editor, other):
            assert await windows.operate(one.surface.xid, "move", Rect(200, 200, 0, 0))
        middle = (await now(other)).bounds.centre

        assert await windows.operate(editor.surface.xid, "activate")
        assert await windows.window_at(*middle) == editor.surface.xid
        assert (await now(editor)).stack > (await now(other)).stack

        assert await windows.operate(other.surface.xid, "activate")
        assert await windows.window_at(*middle) == other.surface.xid
        assert (await now(other)).stack > (await now(editor)).stack


@pytest.mark.proves("report-15")
async def test_a_title_bar_answers_for_its_window(editor: Editor) -> None:
    await editor.rig.windows.operate(editor.surface.xid, "move", Rect(200, 200, 0, 0))
    surface = await now(editor)

    assert await editor.rig.windows.window_at(surface.frame.x + 60, surface.frame.y + 5) == surface.xid


@pytest.mark.proves("report-15", "A6")
async def test_a_popup_covers_what_lies_below_unless_it_lets_clicks_through(editor: Editor) -> None:
    await editor.rig.windows.operate(editor.surface.xid, "move", Rect(200, 200, 0, 0))
    x, y = (await now(editor)).bounds.centre
    place = (str(x - 20), str(y - 20), "40", "40", "00ff00", "popup")

    async with plain_window(editor.rig, *place) as cover:
        assert await editor.rig.windows.window_at(x, y) == cover
    async with plain_window(editor.rig, *place, "through") as glass:
        assert await editor.rig.windows.window_at(x, y) == editor.surface.xid
        assert any(one.xid == glass for one in await editor.rig.windows.surfaces())


@pytest.mark.proves("A1")
async def test_a_window_that_does_not_say_its_process_is_known_by_the_server(made: Rig) -> None:
    async with plain_window(made, "300", "300", "120", "90", "0000ff", "popup") as xid:
        surface = await made.surface(lambda one: one.xid == xid, "the popup is listed")

    assert surface.bounds == Rect(300, 300, 120, 90)
    assert surface.popup
    assert surface.pid > 1
    assert surface.pid != os.getpid()


@pytest.mark.proves("A1")
async def test_tiny_and_off_screen_windows_are_no_surfaces(made: Rig) -> None:
    async with (
        plain_window(made, "300", "300", "1", "1", "0000ff", "popup") as tiny,
        plain_window(made, "300", "300", "50", "50", "0000ff", "popup") as proper,
    ):
        listed = {one.xid for one in await made.windows.surfaces()}
    assert tiny not in listed
    assert proper in listed


@pytest.mark.proves("A5")
async def test_move_and_resize_put_the_frame_exactly_there(editor: Editor) -> None:
    windows, xid = editor.rig.windows, editor.surface.xid

    assert await windows.operate(xid, "move", Rect(211, 147, 0, 0))
    assert (await now(editor)).frame[:2] == (211, 147)
    assert await windows.operate(xid, "resize", Rect(150, 160, 533, 417))
    assert (await now(editor)).frame == Rect(150, 160, 533, 417)
    assert await windows.operate(xid, "resize", Rect(150, 160, 5, 5))
    assert min((await now(editor)).frame[2:]) > 5


@pytest.mark.proves("A5")
async def test_maximise_restore_minimise_activate(editor: Editor) -> None:
    windows, xid = editor.rig.windows, editor.surface.xid
    size = (await now(editor)).bounds[2:]

    assert await windows.operate(xid, "maximise")
    assert (await now(editor)).maximised
    assert await windows.operate(xid, "restore")
    assert not (await now(editor)).maximised
    assert (await now(editor)).bounds[2:] == size
    assert await windows.operate(xid, "minimise")
    minimised = await now(editor)
    assert minimised.minimised
    assert not minimised.active
    assert minimised.stack == 0
    assert await windows.operate(xid, "restore")
    assert (await now(editor)).active
    assert await windows.operate(xid, "minimise")
    assert await windows.operate(xid, "activate")
    assert not (await now(editor)).minimised


@pytest.mark.proves("A5")
async def test_closing_an_unchanged_window_closes_it(editor: Editor) -> None:
    assert await editor.rig.windows.operate(editor.surface.xid, "close")
    assert await _gone(editor.rig, editor.surface.xid)


@pytest.mark.proves("A5")
async def test_closing_a_changed_document_ends_in_its_question(editor: Editor) -> None:
    await editor.rig.hands.type_text("unsaved")

    assert await editor.rig.windows.operate(editor.surface.xid, "close")

    question = await editor.rig.surface(
        lambda one: one.pid == editor.pid and one.xid != editor.surface.xid and not one.popup, "the question"
    )
    assert question.transient_for == editor.surface.xid
    assert question.kind == "dialog"


@pytest.mark.proves("A5")
@pytest.mark.parametrize("operation", ["activate", "close", "minimise", "move"])
async def test_a_window_that_is_gone_is_called_gone(made: Rig, operation: WindowOperation) -> None:
    async with plain_window(made, "300", "300", "120", "90", "0000ff", "popup") as xid:
        pass
    await eventually(lambda: _gone(made, xid), "the window is gone")

    with pytest.raises(DeskhandError) as refused:
        await made.windows.operate(xid, operation, Rect(1, 1, 100, 100))
    assert (refused.value.code, refused.value.sent) == ("window_gone", "no")


@pytest.mark.proves("A5")
async def test_a_window_on_another_virtual_desktop_is_out_of_sight_until_activated(editor: Editor) -> None:
    editor.rig.witness(_ask_manager("_NET_NUMBER_OF_DESKTOPS", 2))
    editor.rig.witness(_ask_manager("_NET_CURRENT_DESKTOP", 1))
    await editor.rig.surface(lambda one: one.xid == editor.surface.xid and one.minimised, "out of sight")
    try:
        assert await editor.rig.windows.operate(editor.surface.xid, "activate")
        surface = await now(editor)
    finally:
        editor.rig.witness(_ask_manager("_NET_NUMBER_OF_DESKTOPS", 1))
    assert surface.active
    assert not surface.minimised


def _ask_manager(message: str, value: int) -> str:
    event = 'sys.modules["Xlib.protocol.event"].ClientMessage'
    return (
        f'[(sys := __import__("sys")), server.screen().root.send_event({event}(window=server.screen().root, '
        f'client_type=server.intern_atom("{message}"), data=(32, [{value}, 0, 0, 0, 0])), '
        "event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask), server.sync()][2]"
    )


@pytest.mark.proves("A1")
async def test_popups_are_listed_in_their_stacking_order(made: Rig) -> None:
    async with AsyncExitStack() as opened:
        window = ("50", "50", "60", "60", "123456", "popup")
        xids = [await opened.enter_async_context(plain_window(made, *window)) for _ in range(20)]
        listed = [one.xid for one in await made.windows.surfaces()]
    assert [xid for xid in listed if xid in xids] == xids, "bottom first: in the order in which they were mapped"


async def test_no_display_is_said_with_its_remedy() -> None:
    thread = XThread(":4999")
    with pytest.raises(DeskhandError) as refused:
        await thread.start()
    await thread.close()
    assert refused.value.code == "desktop_unavailable"
    assert ":4999" in refused.value.message


async def test_a_display_that_hangs_costs_the_deadline_and_not_more(fresh_desktop: NestedDesktop) -> None:
    thread = XThread(fresh_desktop.environment["DISPLAY"], fresh_desktop.environment.get("XAUTHORITY"))
    await thread.start()
    server = await _server_pid(thread)
    os.kill(server, signal.SIGSTOP)
    try:
        began = asyncio.get_running_loop().time()
        waiting = asyncio.ensure_future(thread.call(lambda c: c.root.query_tree(), timeout=10.0))
        with pytest.raises(DeskhandError) as refused:
            await thread.call(lambda c: c.display.sync(), timeout=1.0)
        with pytest.raises(DeskhandError) as also_refused:
            await waiting
        assert asyncio.get_running_loop().time() - began < 3
    finally:
        os.kill(server, signal.SIGCONT)
    assert refused.value.code == also_refused.value.code == "desktop_unavailable"
    await thread.start()  # it connects anew once the server is back
    await thread.close()


async def _server_pid(thread: XThread) -> int:
    """The process at the other end of the connection."""
    raw = await thread.call(lambda c: c.display.display.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return int(struct.unpack("3i", raw)[0])
