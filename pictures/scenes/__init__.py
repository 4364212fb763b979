"""The scenes, one module a group: each builds its pictures from the shared parts and lists them in PICTURES."""
