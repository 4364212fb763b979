"""The launcher: `python -m dev.run` starts the whole product on this machine and keeps it running."""
