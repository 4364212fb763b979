"""`waiting` and `show`: what waits, was given up or is held, and one row's timeline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from leads.durations import age, clock
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.selection import STATES, WAITING, Selection, list_rows
from worker.cli.database import (
    NO_ROW,
    Moment,
    code_option,
    destination_option,
    json_option,
    limit_option,
    on_database,
)
from worker.cli.terminal import CALL_ID_LENGTH, say, show

_COLUMNS = ["id", "ref", "destination", "status", "why", "tries", "next_try", "age"]


@click.command(short_help="List what waits, was given up or is held, and why.")
@click.option("--state", type=click.Choice(STATES), help="Only rows in this state; without it, all that wait.")
@code_option
@destination_option
@click.option("--since", type=Moment(), help="Only rows stored since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@limit_option
@json_option
def waiting(  # noqa: PLR0913 - one for each option
    *,
    state: str | None,
    code: str | None,
    destination: str | None,
    since: datetime | None,
    limit: int,
    as_json: bool,
) -> None:
    """List the rows that wait, the longest waiting first: for whom, why, how often tried, and when next.

    With --state refused, what the CRM or a receiver does not take as it is; with --state dead, what was given up
    until `redrive`; with --state held, suspected spam until `release`; with --state skipped, messages that a limit
    left out.
    """
    selection = Selection(states=(state,) if state else WAITING, destination=destination, code=code, since=since)
    order = "oldest" if set(selection.states) <= set(WAITING) else "newest"
    rows = on_database(lambda engine: list_rows(engine, selection, limit=limit, order=order))
    if not as_json:
        rows = [
            row
            | {
                "ref": row["reference"],
                "next_try": row["next"] if isinstance(row["next"], str) else clock(row["next"]),
                "age": age(row["age"]),
            }
            for row in rows
        ]
    show(rows, _COLUMNS, as_json=as_json, empty=f"Nothing is {state}." if state else "Nothing waits.")


@click.command("show", short_help="Show one row's state and timeline.")
@click.argument("row")
@json_option
def show_row(*, row: str, as_json: bool) -> None:
    """Show one row's state and timeline.

    ROW is the beginning of its id, the reference on the thank-you page, the code of a WhatsApp message, an e-mail
    address, or a phone number with its country code. Several rows are listed. The id of a call is that of the
    worker's log and of the CRM.
    """
    rows = on_database(lambda engine: find_rows(engine, row))
    if not rows:
        raise click.ClickException(f"{NO_ROW} {row}")
    if len(rows) > 1:
        columns = ["kind", "id", "reference", "zoho_status", "created_at"]
        show(rows, columns, as_json=as_json, empty="")
        return
    timeline = on_database(lambda engine: read_timeline(engine, rows[0]["id"]))
    if as_json:
        click.echo(json.dumps({"row": rows[0], "timeline": timeline}, default=str, indent=2))
        return
    messages = rows[0].pop("messages") or {}
    for name, value in {**rows[0], **messages}.items():
        say("-" if value is None else str(value), label=f"{name.replace('_', ' '):>16}  ")
    click.echo()
    story = [
        event | {"call": (event["call_id"] or "-")[:CALL_ID_LENGTH], "what": _describe(event)} for event in timeline
    ]
    show(story, ["at", "destination", "event", "call", "what"], as_json=False, empty="No attempts yet.")


def _describe(event: Mapping[str, Any]) -> str:
    """An event of the timeline in words."""
    code, detail = event["code"] or "", event["detail"] or ""
    words = (
        "" if detail.startswith(code) else code,
        detail,
        f"HTTP {event['http_status']}" if event["http_status"] else "",
        f"next {clock(event['next_retry_at'])}" if event["next_retry_at"] else "",
    )
    return ", ".join(word for word in words if word)
