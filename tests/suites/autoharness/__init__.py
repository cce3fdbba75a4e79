"""cua-auto-harness over deskhand's own ``input``: its adapter, and the run that counts."""
