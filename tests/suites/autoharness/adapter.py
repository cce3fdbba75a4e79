"""The harness's adapter: what it calls a guest is an isolated desktop of deskhand's own.

Each canonical action is one call of the MCP tool ``input``, under the lease of a picture taken right before, in that
picture's own pixels (scaled down as it is for a model by default), through the gate like anybody's.

A press and its release are two canonical actions, but no button stays down between two calls of ``input``: whatever
is held is released when a call ends. So from ``button_press`` on, actions and waits are held back until the
``button_release``, and go out as one batch.
"""

from __future__ import annotations

import time
from pathlib import Path

from autoharness.adapters import SutExecutionError
from autoharness.backend import Adapter, GenericProbeAdapter
from autoharness.contracts import Action, ButtonPress, ButtonRelease, Wait

from tests.suites.autoharness.desk import WHOLE, Desk, Refused
from tests.suites.autoharness.wording import Style, said

_PROBES = "/tmp/autoharness_"
"""How the names of all files begin that the harness puts into a guest."""


class DeskhandAdapter(Adapter):  # type: ignore[misc]
    """Its seconds per call of ``input`` are in ``took``."""

    supports_raw_tap = True
    guest_display = ""  # the shell's own

    def __init__(self, desk: Desk, style: Style, files: Path) -> None:
        self._desk, self._style, self._files = desk, style, files
        self._held_back: list[Action] = []
        self.took: list[float] = []

    def boot(self) -> None:
        """Start the desktop."""
        self._desk.start()
        code, display = self._desk.run('printf %s "$DISPLAY"')
        if code:
            raise RuntimeError("the desktop tells no display")
        self.guest_display = display

    def exec(self, cmd: str, timeout: int = 120) -> tuple[int, str]:
        """Run it in the desktop, which shares files and processes with this machine.

        Files go to a folder of this run's own. Nothing is ended by its name: in a new desktop there is nothing to end,
        and the same name elsewhere on the machine is not ours.
        """
        if cmd.startswith("pkill "):
            return 0, ""
        return self._desk.run(f"PATH=/usr/bin:/bin; {self._here(cmd)}")

    def copy_in(self, local_path: str, guest_path: str) -> None:
        """A copy in this run's folder."""
        Path(self._here(guest_path)).write_bytes(Path(local_path).read_bytes())

    def _here(self, words: str) -> str:
        return words.replace(_PROBES, f"{self._files}/autoharness_")

    def inject(self, action: Action) -> None:
        """One call of ``input``, or none yet while a button is to be held."""
        if isinstance(action, ButtonPress) or self._held_back:
            self._held_back.append(action)
            if not isinstance(action, ButtonRelease):
                return
        actions, self._held_back = self._held_back or [action], []
        try:
            picture = self._desk.look()
            words = [word for each in actions for word in said(each, self._style, picture.place)]
            started = time.monotonic()
            self._desk.input(picture.lease, words)
            self.took.append(time.monotonic() - started)
        except Refused as refusal:
            raise SutExecutionError(str(refusal)) from refusal

    @property
    def holding_back(self) -> bool:
        """Whether a button is to be held, and its release has not come yet."""
        return bool(self._held_back)

    def screenshot(self, dst_path: str) -> None:
        """The whole desktop, unscaled."""
        Path(dst_path).write_bytes(self._desk.look(max_pixels=WHOLE, max_bytes=5 * WHOLE).data)

    def teardown(self) -> None:
        """Stop the desktop."""
        self._desk.stop()


class Probed(GenericProbeAdapter):  # type: ignore[misc]
    """The harness's own driver of an adapter; a wait while a button is held is part of what is held back."""

    backend: DeskhandAdapter

    def execute(self, action: Action) -> None:
        """One canonical action."""
        if isinstance(action, Wait) and self.backend.holding_back:
            self.backend.inject(action)
        else:
            super().execute(action)
