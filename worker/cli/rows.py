"""`dead`, `held` and `show`: dead letters, rows held as suspected spam, and the timeline of one row."""

from __future__ import annotations

import json

import click

from leads.outbox.redrive import find_row, list_rows, read_timeline
from worker.cli.database import json_option, on_database
from worker.cli.terminal import show

limit_option = click.option(
    "--limit", default=50, show_default=True, help="Maximum number of rows of each kind; the newest come first."
)


_COLUMNS = {
    "dead": ["kind", "id", "created_at", "retry_count", "last_error"],
    "held": ["kind", "id", "created_at", "held_reason"],
}


def _list(state: str, limit: int, empty: str, *, as_json: bool) -> None:
    rows = on_database(lambda engine: list_rows(engine, state, limit=limit))
    show(rows, _COLUMNS[state], as_json=as_json, empty=empty)


@click.command(short_help="List dead letters, with the reason.")
@limit_option
@json_option
def dead(*, limit: int, as_json: bool) -> None:
    """List dead letters: rows that were given up and are not sent again until `redrive`, with the reason."""
    _list("dead", limit, "No dead rows.", as_json=as_json)


@click.command(short_help="List rows held as suspected spam.")
@limit_option
@json_option
def held(*, limit: int, as_json: bool) -> None:
    """List rows that are not sent because they are suspected spam, with the reason; `release` sends them."""
    _list("held", limit, "No held rows.", as_json=as_json)


@click.command("show", short_help="Show one row's state and timeline.")
@click.argument("row_id")
@json_option
def show_row(*, row_id: str, as_json: bool) -> None:
    """Show one row's state and timeline, by its id or the beginning of it."""
    rows = on_database(lambda engine: find_row(engine, row_id))
    if len(rows) != 1:
        raise click.ClickException(
            "No row has that id." if not rows else "More than one id begins like this; give more of it."
        )
    timeline = on_database(lambda engine: read_timeline(engine, rows[0]["id"]))
    if as_json:
        click.echo(json.dumps({"row": rows[0], "timeline": timeline}, default=str, indent=2))
        return
    for name, value in rows[0].items():
        click.echo(f"{name.replace('_', ' '):>16}  {'-' if value is None else value}")
    click.echo()
    columns = ["at", "event", "code", "http_status", "next_retry_at", "detail"]
    show(timeline, columns, as_json=False, empty="No attempts yet.")
