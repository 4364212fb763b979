"""Mutants: one-line faults in the delivery, each of which a named test must find."""
