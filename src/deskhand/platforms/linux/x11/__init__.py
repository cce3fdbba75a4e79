"""X11: windows and stacking, input, pictures, clipboard."""
