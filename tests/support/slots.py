"""A call slot as a condition: whether one is held."""

from __future__ import annotations

from contextlib import contextmanager

from leads.crm_state.concurrency import acquire_call_slot
from leads.outbox.rows import Lane


@contextmanager
def call_slot(engine, lane=Lane.FRESH, *, cap=1, seconds=60.0, spare=False):
    with acquire_call_slot(engine, lane, cap=cap, seconds=seconds, spare=spare) as (_, is_held):
        yield is_held
