"""The contract as MCP tools over stdio: a client of the desktop's owner like any other."""
