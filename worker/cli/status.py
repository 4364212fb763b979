"""`status`: the backlog by state, the gate, and the last tick."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from leads.crm_state.gate import read_gate
from leads.mail.acknowledgements import count_acknowledgements
from leads.outbox.stats import read_backlog
from worker.cli.database import json_option, on_database
from worker.cli.terminal import age, show

if TYPE_CHECKING:
    from leads.mail.acknowledgements import Acknowledgements


@click.command(short_help="Show the backlog by state, the gate, and the last tick.")
@json_option
def status(*, as_json: bool) -> None:
    """Show rows by state and lane, the oldest due row, acknowledgements, the gate, and the last tick."""
    gate = on_database(read_gate)
    backlog = on_database(read_backlog)
    mails = on_database(count_acknowledgements)
    if as_json:
        rows = [
            {"kind": part.kind, "status": part.status, "rows": part.rows, "oldest_due_seconds": part.oldest_due}
            for part in backlog
        ]
        state = {"state": gate.state, "reason": gate.reason, "detail": gate.detail, "by": gate.changed_by}
        tick = {"until": gate.until_at, "last_tick_seconds": gate.tick_age}
        acknowledgements = {**asdict(mails), "oldest_due_seconds": mails.oldest_due}
        acknowledgements.pop("oldest_due")
        document = {"gate": {**state, **tick}, "rows": rows, "acknowledgements": acknowledgements}
        click.echo(json.dumps(document, default=str, indent=2))
        return
    _show_gate(gate)
    _show_mails(mails)
    lanes = {"pending": "fresh", "retrying": "retry"}
    table = [
        {
            "kind": part.kind,
            "status": part.status,
            "lane": lanes.get(part.status),
            "rows": part.rows,
            "oldest due": age(part.oldest_due),
        }
        for part in backlog
    ]
    show(table, ["kind", "status", "lane", "rows", "oldest due"], as_json=False, empty="No rows yet.")


def _show_gate(gate: Any) -> None:
    if gate.is_open:
        click.echo("Gate: open, calls to the CRM are allowed.")
    else:
        until = f", next probe {gate.until_at:%H:%M:%S} UTC" if gate.until_at else ", until an operator resumes"
        click.echo(
            f"Gate: SHUT since {gate.changed_at:%Y-%m-%d %H:%M:%S} UTC ({gate.reason}, by {gate.changed_by}{until})"
        )
        click.echo(f"      {gate.detail}")
    click.echo(f"Last tick: {'never' if gate.tick_age is None else age(gate.tick_age) + ' ago'}\n")


def _show_mails(mails: Acknowledgements) -> None:
    waiting = "" if mails.oldest_due is None else f" (oldest due {age(mails.oldest_due)})"
    click.echo(
        f"Acknowledgements: {mails.owed} owed{waiting}, {mails.sent} sent, {mails.failed} failed, "
        f"{mails.skipped} skipped over the daily limit\n"
    )
