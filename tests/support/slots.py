"""A call slot as a condition: whether one is held."""

from __future__ import annotations

from contextlib import contextmanager

from leads.outbox.rows import Lane
from leads.outbox.slots import acquire_call_slot


@contextmanager
def call_slot(engine, lane=Lane.FRESH, *, cap=1, seconds=60.0, destination="zoho"):
    with acquire_call_slot(engine, lane, cap=cap, seconds=seconds, destination=destination) as (_, is_held):
        yield is_held
