"""A PostgreSQL that is frozen, not down: its kernel still takes what is sent, and no answer comes."""

from contextlib import contextmanager

import psutil


@contextmanager
def frozen(server):
    """The postmaster, then every process under it, stopped in the middle of what they do."""
    postmaster = psutil.Process(server.pid)
    postmaster.suspend()
    family = [postmaster, *postmaster.children()]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(family):  # the postmaster last: it reaps a child that had ended
            process.resume()
