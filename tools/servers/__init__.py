"""Embedded servers on a developer's machine, and their processes: for `make run`, tests and benchmarks."""
