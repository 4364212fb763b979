"""The look for answers, due now: what workers do every few minutes."""

from __future__ import annotations

from leads.speed import LOOK
from tests.support.database import change
from worker.jobs.speed import look_for_answers


def make_due(context):
    """Let the time of the next look come."""
    change(
        context.engine,
        "INSERT INTO turns (name, due_at) VALUES (:name, now() - interval '1 s')"
        " ON CONFLICT (name) DO UPDATE SET due_at = now() - interval '1 s', taken_until = '-infinity'",
        name=LOOK,
    )


def look(context, may_continue=lambda: True):
    make_due(context)
    look_for_answers(context.access, context.settings, may_continue=may_continue)
