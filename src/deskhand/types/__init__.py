"""The words everyone shares. This room imports nothing else of deskhand."""
