"""The record of what happened: written before and after each step, read back by the same code."""
