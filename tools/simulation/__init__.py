"""Deterministic simulation of delivery: the real code, many workers, weeks of virtual time, one seed."""
