"""Every exchange of a journey cut once, in every way: the simulation's parts, with one fault at a known place."""
