"""The site's pictures and film, modelled and rendered with Blender as a Python module; `make pictures` runs it."""
