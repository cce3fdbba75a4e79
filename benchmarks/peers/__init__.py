"""deskhand, cua-driver, xa11y and pyatspi in turn on the same live windows."""
