"""The state of the delivery as operators see it: on the command line, in Flower and in the metrics. Read-only."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from leads.crm_state.fields import FieldCheck, read_field_check
from leads.crm_state.gate import Gate, read_gate
from leads.crm_state.token import TokenTable
from leads.mail.owed import Messages, count_messages
from leads.outbox.stats import Pile, read_backlog
from leads.outbox.waiting import Health, read_health
from leads.privacy.erasure import count_open_rows


@dataclass(frozen=True, slots=True)
class Overview:
    """What waits, and what stands in its way.

    `refusal`: the code with which the CRM refused our credentials, and how many seconds ago; None: it did not.
    """

    gate: Gate
    refusal: tuple[str, float] | None
    fields: FieldCheck
    health: Health
    backlog: list[Pile]
    mails: Messages
    notices: Messages
    erasures_open: int

    def count(self, *states: str) -> int:
        """How many rows are in these states, of both kinds."""
        return sum(pile.rows for pile in self.backlog if pile.status in states)


def read_overview(engine: Engine) -> Overview:
    """Read it all, in a dozen short statements."""
    return Overview(
        gate=read_gate(engine),
        refusal=TokenTable(engine).refusal(),
        fields=read_field_check(engine),
        health=read_health(engine),
        backlog=read_backlog(engine),
        mails=count_messages(engine, "acknowledgements"),
        notices=count_messages(engine, "staff_notices"),
        erasures_open=count_open_rows(engine),
    )
