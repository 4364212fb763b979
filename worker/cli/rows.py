"""`waiting`, `dead`, `held`, `show`: what waits, what was given up, suspected spam, and one row's timeline."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from leads.destinations import CRM
from leads.durations import age, clock
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.rows import Kind
from leads.outbox.selection import PILES, WAITING, Selection, list_rows
from worker.cli.database import (
    NO_ROW,
    Moment,
    destination_option,
    json_option,
    kind_option,
    limit_option,
    on_database,
)
from worker.cli.terminal import CALL_ID_LENGTH, say, show

_COLUMNS = {
    "dead": ["destination", "kind", "id", "created_at", "tries", "last_error"],
    "held": ["kind", "id", "created_at", "reason"],
}


def _list(state: str, destination: str | None, limit: int, empty: str, *, as_json: bool) -> None:
    selection = Selection(states=(state,), destination=destination)
    rows = on_database(lambda engine: list_rows(engine, selection, limit=limit, order="newest"))
    show([row | {"reason": row["code"]} for row in rows], _COLUMNS[state], as_json=as_json, empty=empty)


@click.command(short_help="List dead letters, with the reason.")
@destination_option
@limit_option
@json_option
def dead(*, destination: str | None, limit: int, as_json: bool) -> None:
    """List dead letters: rows that were given up and are not sent again until `redrive`, with the reason."""
    _list("dead", destination, limit, "No dead rows.", as_json=as_json)


@click.command(short_help="List rows held as suspected spam.")
@limit_option
@json_option
def held(*, limit: int, as_json: bool) -> None:
    """List leads and clicks that are not sent because they are suspected spam; `release` sends them."""
    _list("held", CRM, limit, "No held rows.", as_json=as_json)


@click.command(short_help="List what waits, and why.")
@click.option("--state", type=click.Choice(list(PILES)), help="Only rows in this state; without it, all that wait.")
@click.option("--code", help="Only rows whose last try ended with this code: RECORD_LOCKED.")
@click.option("--source", help='Only rows with this utm_source; "google" includes every Google click id.')
@destination_option
@kind_option
@click.option("--since", type=Moment(), help="Only rows stored since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@click.option("--until", type=Moment(), help="Only rows stored before this time.")
@limit_option
@json_option
def waiting(  # noqa: PLR0913 - one for each option
    *,
    state: str | None,
    code: str | None,
    source: str | None,
    destination: str | None,
    kind: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    as_json: bool,
) -> None:
    """List the rows that wait, the longest waiting first: for whom, why, how often tried, and when next."""
    selection = Selection(
        states=(state,) if state else WAITING,
        destination=destination,
        kinds=(Kind(kind),) if kind else tuple(Kind),
        code=code,
        source=source,
        since=since,
        until=until,
    )
    rows = on_database(lambda engine: list_rows(engine, selection, limit=limit))
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
    columns = ["id", "ref", "destination", "status", "why", "tries", "next_try", "age"]
    show(rows, columns, as_json=as_json, empty="Nothing waits.")


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
