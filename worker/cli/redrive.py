"""`redrive`, `release`: change rows in steps that can be interrupted; `changes`: what was changed."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import datetime

import click
from sqlalchemy import Engine

from leads.durations import clock
from leads.outbox.holds import Held
from leads.outbox.operate import Change, change_rows, list_changes
from leads.outbox.rows import Kind
from leads.outbox.selection import Selection, count_rows
from worker.cli.database import (
    Moment,
    all_option,
    by_option,
    destination_option,
    find_ids,
    json_option,
    kind_option,
    limit_option,
    on_database,
    rows_of,
    why_option,
    words_argument,
)
from worker.cli.terminal import show, stop_on_ctrl_c


@click.command(short_help="Send dead letters again.")
@words_argument
@all_option
@click.option("--since", type=Moment(), help="Only rows that died since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@click.option("--until", type=Moment(), help="Only rows that died before this time.")
@click.option("--code", help="Only rows that died with this code, as `dead` shows it: INVALID_DATA.")
@click.option("--source", help='Only rows with this utm_source; "google" includes every Google click id.')
@destination_option
@kind_option
@click.option("--dry-run", is_flag=True, help="Report what would be sent again, by kind and code; change nothing.")
@by_option
@why_option
@json_option
def redrive(  # noqa: PLR0913 - one for each option
    *,
    rows: tuple[str, ...],
    everything: bool,
    since: datetime | None,
    until: datetime | None,
    code: str | None,
    source: str | None,
    destination: str | None,
    kind: str | None,
    dry_run: bool,
    by: str,
    why: str,
    as_json: bool,
) -> None:
    """Send dead rows (dead letters) again, as if they were new; by name, also rows that wait for a retry.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with the options (all must
    match), or use --all. Works in steps of 1,000 rows, each committed and recorded; you can interrupt it at any
    time and run it again for the rest. Redriven rows wait behind new leads. Acknowledgements of more than a day ago
    stay dead, unless you name their rows or --destination visitor.
    """
    if not (rows or everything or since or until or code or source or destination or kind):
        raise click.UsageError("Name rows, select them (--since, --code …), or use --all.")
    selection = Selection(
        ids=None if everything else on_database(lambda engine: find_ids(engine, rows)),
        since=since,
        until=until,
        code=code,
        source=source,
        destination=destination,
        kinds=(Kind(kind),) if kind else tuple(Kind),
    )
    if dry_run:
        _count(Change.REDRIVEN, selection, "code", as_json=as_json)
    else:
        _change(Change.REDRIVEN, selection, by, why, as_json=as_json)


def _count(change: Change, selection: Selection, reason: str, *, as_json: bool) -> None:
    """Report what would be moved; `reason` is what its code is called."""
    found = on_database(lambda engine: count_rows(engine, change.concerned(selection)))
    columns = ["destination", "kind", reason, "rows", "first", "last"]
    table = [{**row, reason: row["code"]} for row in found]
    show(table, columns, as_json=as_json, empty=f"No matching {change.state} rows.")


def _change(change: Change, selection: Selection, by: str, why: str, *, as_json: bool) -> None:
    def work(engine: Engine) -> None:
        moved = 0
        # Closed here, so that an interrupted change is recorded too.
        with stop_on_ctrl_c() as pressed, closing(change_rows(engine, change, selection, by=by, why=why)) as steps:
            for step in steps:
                moved += step
                click.echo(f"{rows_of(moved)} so far", err=True)
                if pressed.is_set():
                    stopped = f"Stopped after {rows_of(moved)}; run it again for the rest."
                    click.echo(json.dumps({change: moved, "stopped": True}) if as_json else stopped)
                    raise SystemExit(130)
        click.echo(json.dumps({change: moved}) if as_json else f"{rows_of(moved)} {change}.")

    on_database(work)


@click.command("release", short_help="Send held rows to the CRM after all.")
@words_argument
@all_option
@click.option("--since", type=Moment(), help="Only rows that came since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@click.option("--until", type=Moment(), help="Only rows that came before this time.")
@click.option("--reason", type=click.Choice([reason.value for reason in Held]), help="Only rows held for this.")
@kind_option
@click.option("--dry-run", is_flag=True, help="Report what would be released, by kind and reason; change nothing.")
@by_option
@why_option
@json_option
def release_rows(  # noqa: PLR0913 - one for each option
    *,
    rows: tuple[str, ...],
    everything: bool,
    since: datetime | None,
    until: datetime | None,
    reason: str | None,
    kind: str | None,
    dry_run: bool,
    by: str,
    why: str,
    as_json: bool,
) -> None:
    """Send held rows, which were suspected spam, to the CRM after all.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with the options (all must
    match), or use --all. Leads of the last day are acknowledged by e-mail, as if they had just come.
    """
    if not (rows or everything or since or until or reason or kind):
        raise click.UsageError("Name rows, select them (--since, --reason …), or use --all.")
    selection = Selection(
        ids=None if everything else on_database(lambda engine: find_ids(engine, rows)),
        since=since,
        until=until,
        code=reason,
        kinds=(Kind(kind),) if kind else tuple(Kind),
    )
    if dry_run:
        _count(Change.RELEASED, selection, "reason", as_json=as_json)
    else:
        _change(Change.RELEASED, selection, by, why, as_json=as_json)


@click.command(short_help="List what operators changed, and why.")
@limit_option
@json_option
def changes(*, limit: int, as_json: bool) -> None:
    """List what operators changed in the outbox, the newest first: rows sent again or released; pauses."""
    found = on_database(lambda engine: list_changes(engine, limit=limit))
    if not as_json:
        found = [line | {"at": clock(line["at"])} for line in found]
    show(found, ["at", "by", "change", "destination", "rows", "why"], as_json=as_json, empty="No changes yet.")
