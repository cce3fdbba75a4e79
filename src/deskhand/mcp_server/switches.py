"""What a server shows of the contract. What is off is not there: no tool, no word of it, and a call is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Channel = Literal["tree", "pixels", "apis"]
Profile = Literal["base", "full"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
BASE = frozenset({"apps", "observe", "find", "act", "open"})
"""The tools of the profile ``base``."""


@dataclass(frozen=True, slots=True)
class Switches:
    """Channels are ways to an application: its ``tree``, ``pixels``, programming interfaces (``apis``).

    ``skill``: serve it as a resource and a prompt. ``structured``: output schemas and ``structuredContent``.
    """

    channels: frozenset[Channel] = frozenset(CHANNELS)
    profile: Profile = "full"
    skill: bool = True
    structured: bool = False

    def keeps(self, tool: str) -> bool:
        """Whether the profile has this tool."""
        return self.profile == "full" or tool in BASE

    @property
    def given(self) -> list[str]:
        """The flags of ``deskhand mcp`` that say the same."""
        said = []
        if self.channels != frozenset(CHANNELS):
            said += ["--channels", ",".join(channel for channel in CHANNELS if channel in self.channels)]
        said += ["--profile", self.profile] if self.profile != "full" else []
        said += ["--no-skill"] if not self.skill else []
        return [*said, "--structured"] if self.structured else said
