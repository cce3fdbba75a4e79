"""Linux: the accessibility tree over AT-SPI, windows, input and pictures over X11."""
