"""The names under which typed results travel in MCP's ``_meta``, text and images unchanged beside them."""

from __future__ import annotations

TYPED = "deskhand/typed"
"""In a request: send the typed result, too."""
RESULT = "deskhand/result"
"""In a result: what it says, typed. A picture stands in the content only."""
FAILURE = "deskhand/failure"
"""In a result: why there is none."""
