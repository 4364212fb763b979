"""Mutants: one-line faults, each of which a named test must find."""
