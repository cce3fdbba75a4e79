"""What a server shows of the contract. What is off is not there: no tool, no word of it, and a call is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Channel = Literal["tree", "pixels", "apis"]
Profile = Literal["base", "full"]
Style = Literal["gpt", "claude"]
StyleChoice = Literal["gpt", "claude", "auto"]
"""In whose words ``input`` is described: OpenAI's, Anthropic's, or by the client's name (else OpenAI's)."""
CHANNELS: tuple[Channel, ...] = get_args(Channel)
BASE = frozenset({"apps", "observe", "find", "act", "open"})
"""The tools of the profile ``base``."""


@dataclass(frozen=True, slots=True)
class Switches:
    """Channels are ways to an application: its ``tree``, ``pixels``, programming interfaces (``apis``).

    ``skill``: serve it as a resource and a prompt. ``structured``: output schemas and ``structuredContent``.
    ``input_style``: see ``StyleChoice``; whatever is shown, both are understood.
    """

    channels: frozenset[Channel] = frozenset(CHANNELS)
    profile: Profile = "full"
    skill: bool = True
    structured: bool = False
    input_style: StyleChoice = "auto"

    def keeps(self, tool: str) -> bool:
        """Whether the profile has this tool."""
        return self.profile == "full" or tool in BASE

    def style(self, client: str = "") -> Style:
        """The words for one client, by its name where nobody has chosen."""
        if self.input_style != "auto":
            return self.input_style
        return "claude" if "claude" in client.casefold() else "gpt"

    @property
    def given(self) -> list[str]:
        """The flags of ``deskhand mcp`` that say the same."""
        said = []
        if self.channels != frozenset(CHANNELS):
            said += ["--channels", ",".join(channel for channel in CHANNELS if channel in self.channels)]
        said += ["--profile", self.profile] if self.profile != "full" else []
        said += ["--no-skill"] if not self.skill else []
        said += ["--input-style", self.input_style] if self.input_style != "auto" else []
        return [*said, "--structured"] if self.structured else said
