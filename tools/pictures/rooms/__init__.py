"""The clinic's rooms: furniture, machines, daylight and the level camera. Lengths are metres here."""
