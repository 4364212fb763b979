"""`dead`, `held` and `show`: rows that wait for a person, and the timeline of one row."""

from __future__ import annotations

import json

import click

from leads.outbox.redrive import find_row, list_rows, read_timeline
from worker.cli.database import json_option, on_database
from worker.cli.terminal import show


def _list(state: str, most: int, empty: str, *, as_json: bool) -> None:
    rows = on_database(lambda engine: list_rows(engine, state, limit=most))
    show(rows, ["kind", "id", "created_at", "retry_count", "last_error"], as_json=as_json, empty=empty)


@click.command(short_help="Rows that were given up, and why.")
@click.option("--most", default=50, show_default=True, help="Newest rows of each kind, at most.")
@json_option
def dead(*, most: int, as_json: bool) -> None:
    """Rows that will not be sent again by themselves, with the reason."""
    _list("dead", most, "No dead rows.", as_json=as_json)


@click.command()
@click.option("--most", default=50, show_default=True, help="Newest rows of each kind, at most.")
@json_option
def held(*, most: int, as_json: bool) -> None:
    """Rows kept back as suspected spam."""
    _list("held", most, "No held rows.", as_json=as_json)


@click.command("show", short_help="One row's state and timeline.")
@click.argument("row_id")
@json_option
def show_row(*, row_id: str, as_json: bool) -> None:
    """One row's state and timeline, by its ID or the beginning of it."""
    rows = on_database(lambda engine: find_row(engine, row_id))
    if len(rows) != 1:
        raise click.ClickException(
            "No row has that id." if not rows else "More than one row begins so; give more of it."
        )
    timeline = on_database(lambda engine: read_timeline(engine, rows[0]["id"]))
    if as_json:
        click.echo(json.dumps({"row": rows[0], "timeline": timeline}, default=str, indent=2))
        return
    for name, value in rows[0].items():
        click.echo(f"{name.replace('_', ' '):>16}  {'-' if value is None else value}")
    click.echo()
    columns = ["at", "event", "code", "http_status", "next_retry_at", "detail"]
    show(timeline, columns, as_json=False, empty="Nothing has happened to it yet.")
