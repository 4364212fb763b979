"""The launcher: `python -m tools.run` starts the whole product on this machine and keeps it running."""
