"""Meaning from trees: refs, snapshots, outlines, lines, find, diff, coverage."""
