"""Desktops for Python programs: a client of the owner like any other, with locators; ``docs/library.md``."""
