"""Drills: the delivery properties, shown with real processes under kill -9, freezes, restarts and false replies."""
