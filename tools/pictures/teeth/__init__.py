"""Teeth and gum: crowns by tooth type, the arch they stand in, the gum round their necks."""
