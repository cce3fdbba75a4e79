"""AT-SPI over D-Bus: bus, reader, writer, events, quirks per toolkit."""
