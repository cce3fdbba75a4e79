"""deskhand measured against pyatspi on the same live windows, by its public faces only."""
