"""One small file per toolkit oddity, each naming what it answers."""
