"""The scenes, one module per group; each builds its pictures from the shared parts and lists them in PICTURES."""
