"""A desktop behind an MCP server, by the same contract as a near one."""

from deskhand.remote.desktop import McpDesktop, connect_http, connect_stdio

__all__ = ["McpDesktop", "connect_http", "connect_stdio"]
