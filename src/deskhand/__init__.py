"""deskhand gives any agent a pair of hands on a real desktop."""

__version__ = "0.1.0"
