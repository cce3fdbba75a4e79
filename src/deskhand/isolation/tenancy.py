"""The life of one desktop, as its keeper runs it: built up, served, watched, ended."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from deskhand.isolation import buses, processes, resizing, screen
from deskhand.isolation.arrangement import Arrangement
from deskhand.isolation.control import Connection, close_all, listen, serve
from deskhand.isolation.document_locks import locks_of
from deskhand.isolation.environment import inner_environment, prepare_folders, program
from deskhand.isolation.limits import impose, kill_largest
from deskhand.isolation.messages import (
    SOCKET,
    VIEWS,
    Outside,
    Record,
    Reply,
    Request,
    Status,
    Wish,
    note_outside,
    write_record,
)
from deskhand.isolation.reaper import Reaper
from deskhand.isolation.switches import switched
from deskhand.types.errors import DeskhandError

AT_ONCE = 0.3
"""Seconds within which an error counts as a failed launch."""
FIRST_LEASE = 15.0
"""Seconds that whoever started a lingering desktop has to take its lease."""
GOODBYE = 0.7
"""Seconds that programs get to end by themselves."""
LOOK = 0.2
"""Seconds between two looks of the watchdog."""
OUTSIDE_EVERY = 10
"""Looks between two searches for what programs made outside the desktop's folder."""
SOCKET_PLACES = ("/tmp", "/var/tmp")
"""Where most of them are made: a change there starts a search at once."""
EXPENDABLE = 300
"""``oom_score_adj`` of what was launched: at the limit programs die before the desktop does."""


class Tenancy:
    """One desktop. ``live`` returns when it is to be swept."""

    def __init__(self, wish: Wish, sentinel: int) -> None:
        self.wish = wish
        self.folder = Path(wish.folder)
        self.record = Record(wish=wish, monitors=wish.monitors, pid=os.getpid(), sentinel=sentinel, started=time.time())
        self.over = asyncio.Event()
        self.leases = 0
        self.killed = 0
        self.launches = 0
        self._farewell: asyncio.TimerHandle | None = None
        self._essential: set[int] = set()
        self._outside: set[Path] = set()
        self._places: list[int] = []
        self._resizing = asyncio.Lock()

    async def live(self, ready: int) -> None:
        """Build up, tell ``ready``, serve until the end. Raises ``desktop_unavailable`` when it cannot be built."""
        begun = time.monotonic()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.over.set)
        self._build_limit()
        await self._build()
        server = listen(self.folder / SOCKET)
        tasks = [asyncio.ensure_future(serve(server, self._handle)), asyncio.ensure_future(self._watch())]
        self._note(ready=True, seconds=round(time.monotonic() - begun, 3))
        _tell_ready(ready)
        self._plan_farewell(FIRST_LEASE)
        await self.over.wait()
        for task in tasks:
            task.cancel()
        await self._say_goodbye()

    def _note(self, **changes: object) -> None:
        self.record = self.record.model_copy(update=changes)
        write_record(self.record)

    # -- building ----------------------------------------------------------------------------------------------
    def _build_limit(self) -> None:
        label = f"deskhand-{self.wish.name}-{os.getpid()}"
        try:
            self.limit = impose(self.wish.limit, self.wish.memory_mb, label)
        except OSError as error:
            raise DeskhandError("desktop_unavailable", f"no {self.wish.limit} memory limit here: {error}") from error
        self._note(limit=self.limit.kind, group=str(self.limit.group or ""))

    async def _build(self) -> None:
        prepare_folders(self.wish)
        self.reaper = Reaper(self.limit)
        environment = inner_environment(self.wish, os.environ)
        server = await screen.start_screen(self.reaper, environment, self.wish)
        await asyncio.to_thread(self._arrange, environment, self.wish.monitors)
        self._note(display=environment["DISPLAY"], screen=server)
        self._manager = screen.start_window_manager(self.reaper, environment, self.folder)
        bus = await buses.start_session_bus(self.reaper, environment)
        launcher = await buses.start_accessibility(self.reaper, environment)
        await screen.window_manager_ready(environment)
        self._essential = {server, bus, launcher}
        for pid in self._essential:
            self.reaper.exited(pid).add_done_callback(lambda _: self.over.set())  # without it there is no desktop
        self._note(environment=environment)

    def _arrange(self, environment: Mapping[str, str], wanted: Arrangement) -> None:
        if self.wish.movable:
            resizing.arrange(environment, self.folder / VIEWS, wanted)
        elif wanted != self.record.monitors:
            resizing.shrink(environment, self.wish.monitors.size, wanted)

    # -- serving -----------------------------------------------------------------------------------------------
    async def _handle(self, connection: Connection) -> None:
        while received := await connection.receive():
            request, descriptors = received
            try:
                await self._answer(connection, request, descriptors)
            except DeskhandError as error:
                connection.send(Reply(error=error.code, message=error.message))
            except OSError as error:
                connection.send(Reply(error="internal", message=f"the keeper failed: {error}"))
            finally:
                close_all(descriptors)

    async def _answer(self, connection: Connection, request: Request, descriptors: list[int]) -> None:
        match request.do:
            case "launch":
                connection.send(Reply(pid=await self._launch(request)))
            case "run":
                await self._run(connection, request, descriptors)
            case "status":
                connection.send(Reply(status=self._status()))
            case "lease":
                await self._lease(connection)
            case "resize":
                await self._resize(connection, request)
            case "stop":
                connection.send(Reply())
                self.over.set()
            case "signal":
                raise DeskhandError("invalid_request", "a signal is for a program being run by this connection")

    async def _launch(self, request: Request) -> int:
        self.launches += 1
        name = Path(request.command[0]).name if request.command else ""
        log = self.folder / "logs" / f"{self.launches:03}-{name[:40]}.log"
        with log.open("wb") as file:
            pid = self._start(request, [subprocess.DEVNULL, file, file])
        ended = self.reaper.exited(pid)
        done, _ = await asyncio.wait({ended}, timeout=AT_ONCE)
        if done and ended.result() != 0:
            said = log.read_bytes()[-400:].decode(errors="replace").strip().replace("\n", " | ")
            raise DeskhandError("launch_failed", f"{name} ended at once with code {ended.result()}: {said}")
        return pid

    def _start(self, request: Request, streams: list[int | IO[bytes]]) -> int:
        if not request.command:
            raise DeskhandError("invalid_request", "no command given")
        environment = self.record.environment | request.environment
        command = [program(request.command[0], environment) or request.command[0], *request.command[1:]]
        command = switched(command, environment, self.folder / "profiles")
        directory = request.directory or environment["HOME"]
        try:
            return self.reaper.start(command, environment, directory=directory, streams=streams, score=EXPENDABLE)
        except (OSError, ValueError) as error:
            raise DeskhandError("launch_failed", f"cannot start {request.command[0]}: {error}") from error

    async def _run(self, connection: Connection, request: Request, descriptors: list[int]) -> None:
        if len(descriptors) != 3:
            raise DeskhandError("invalid_request", "run needs three descriptors")
        pid = self._start(request, list(descriptors))
        connection.send(Reply(pid=pid))
        ended = self.reaper.exited(pid)
        ended.add_done_callback(lambda _: connection.send(Reply(pid=pid, exit=ended.result())))
        while received := await connection.receive():
            if not ended.done():
                _signal_session(pid, received[0].signal)
        if not ended.done():
            _signal_session(pid, signal.SIGHUP)

    def _status(self) -> Status:
        everything = self._inside()
        return Status(
            running={pid: line for pid, line in self.reaper.running.items() if pid not in self._own()},
            ended=tuple(self.reaper.ended), leases=self.leases, memory_mb=self.limit.used_mb(everything),
            limit=self.limit.kind, killed=self.killed + self.limit.killed(),
        )  # fmt: skip

    def _inside(self) -> set[int]:
        return processes.descendants(os.getpid())

    def _own(self) -> set[int]:
        return self._essential | {self._manager}

    async def _resize(self, connection: Connection, request: Request) -> None:
        if request.monitors is None:
            raise DeskhandError("invalid_request", "no monitors given")
        async with self._resizing:
            await asyncio.to_thread(self._arrange, self.record.environment, request.monitors)
            self._note(monitors=request.monitors)
        connection.send(Reply())

    # -- leases ------------------------------------------------------------------------------------------------
    async def _lease(self, connection: Connection) -> None:
        self.leases += 1
        if self._farewell:
            self._farewell.cancel()
        connection.send(Reply())
        try:
            while await connection.receive():
                continue
        finally:
            self.leases -= 1
            if self.leases == 0:
                self._plan_farewell(0)

    def _plan_farewell(self, least: float) -> None:
        if self.wish.linger is not None and not self.leases:
            delay = max(least, self.wish.linger)
            self._farewell = asyncio.get_running_loop().call_later(delay, self.over.set)

    # -- watching and ending -----------------------------------------------------------------------------------
    async def _watch(self) -> None:
        """Keep the memory limit where no cgroup does, and the window manager alive; note what is to be removed."""
        for look in itertools.count(1):
            await asyncio.sleep(LOOK)
            if self._places_changed() or look % OUTSIDE_EVERY == 0:
                self._note_outside()
            if self.limit.kind == "watchdog" and kill_largest(self._inside(), self._own(), self.limit):
                self.killed += 1
            if self._manager not in self.reaper.running:
                self._manager = screen.start_window_manager(self.reaper, self.record.environment, self.folder)

    def _places_changed(self) -> bool:
        before, self._places = self._places, [os.stat(place).st_mtime_ns for place in SOCKET_PLACES]
        return before != self._places

    def _note_outside(self) -> None:
        """Programs that die leave sockets in /tmp and locks beside documents; both are found only while they live."""
        inside = self._inside()
        self._note_fresh("sockets", processes.listening_paths(inside))
        self._note_fresh("locks", locks_of(inside, self.folder))

    def _note_fresh(self, kind: Outside, paths: set[Path]) -> None:
        if fresh := {path for path in paths - self._outside if not path.is_relative_to(self.folder)}:
            self._outside |= fresh
            note_outside(self.folder, kind, fresh)

    async def _say_goodbye(self) -> None:
        """Ask programs to end, and give them a moment; the sweep ends those that do not."""
        self._note_outside()
        programs = self._inside() - self._own()
        processes.send(programs, signal.SIGTERM)
        deadline = time.monotonic() + GOODBYE
        while any(processes.alive(pid) for pid in programs):
            await asyncio.sleep(0.02)
            if time.monotonic() > deadline:
                break
        self._note_outside()  # what those have that do not end: the sweep kills them


def _tell_ready(ready: int) -> None:
    try:
        os.write(ready, b"ready")
    except OSError as error:
        raise DeskhandError("cancelled", "whoever started the desktop has gone") from error
    finally:
        os.close(ready)


def _signal_session(pid: int, number: int) -> None:
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return
