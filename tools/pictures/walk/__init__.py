"""The clinic film: a calm walk through the rooms, from the door to the window on the water."""
