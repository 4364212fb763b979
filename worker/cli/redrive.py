"""`redrive` and `release`: put dead letters and held rows back into the queue, in steps that can be interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import click
from sqlalchemy import Engine

from leads.outbox.holds import Held
from leads.outbox.redrive import Selection, count_dead, redrive_steps
from leads.outbox.release import count_held, release_steps
from leads.outbox.rows import Kind
from worker.cli.database import (
    Moment,
    all_option,
    by_option,
    find_ids,
    json_option,
    kind_option,
    on_database,
    rows_of,
    words_argument,
)
from worker.cli.terminal import show, stop_on_ctrl_c


@dataclass(frozen=True, slots=True)
class Requeue:
    """What `redrive` and `release` differ in. `reason`: the column that says why rows are in the state."""

    state: str
    reason: str
    done: str
    count: Callable[[Engine, Selection], list[dict[str, Any]]]
    steps: Callable[..., Iterator[int]]


REDRIVE = Requeue("dead", "code", "redriven", count_dead, redrive_steps)
RELEASE = Requeue("held", "reason", "released", count_held, release_steps)


@click.command(short_help="Send dead letters again.")
@words_argument
@all_option
@click.option("--since", type=Moment(), help="Only rows that died since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@click.option("--until", type=Moment(), help="Only rows that died before this time.")
@click.option("--code", help="Only rows that died with this code, as `dead` shows it: INVALID_DATA.")
@click.option("--source", help='Only rows with this utm_source; "google" includes every Google click id.')
@kind_option
@click.option("--dry-run", is_flag=True, help="Report what would be sent again, by kind and code; change nothing.")
@by_option
@json_option
def redrive(  # noqa: PLR0913 - one for each option
    *,
    rows: tuple[str, ...],
    everything: bool,
    since: datetime | None,
    until: datetime | None,
    code: str | None,
    source: str | None,
    kind: str | None,
    dry_run: bool,
    by: str,
    as_json: bool,
) -> None:
    """Send dead rows (dead letters) again, as if they were new.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with the options (all must
    match), or use --all. Works in steps of 1,000 rows, each committed and recorded; you can interrupt it at any
    time and run it again for the rest. Redriven rows wait behind new leads.
    """
    if not (rows or everything or since or until or code or source or kind):
        raise click.UsageError("Name rows, select them (--since, --code …), or use --all.")
    selection = Selection(
        ids=None if everything else on_database(lambda engine: find_ids(engine, rows)),
        since=since,
        until=until,
        code=code,
        source=source,
        kinds=(Kind(kind),) if kind else tuple(Kind),
    )
    _requeue(REDRIVE, selection, by=by, dry_run=dry_run, as_json=as_json)


def _requeue(what: Requeue, selection: Selection, *, by: str, dry_run: bool, as_json: bool) -> None:
    """Move the selected rows in committed steps, or with `dry_run` count them.

    Args:
        what: redrive or release.
        selection: which rows.
        by: who does it.
        dry_run: count, by kind and reason, and change nothing.
        as_json: print JSON.
    """
    if dry_run:
        found = on_database(lambda engine: what.count(engine, selection))
        columns = ["kind", what.reason, "rows", "first", "last"]
        show(found, columns, as_json=as_json, empty=f"No matching {what.state} rows.")
        return
    on_database(lambda engine: _move(what.steps(engine, selection, by=by), what.done, as_json=as_json))


def _move(steps: Iterator[int], done: str, *, as_json: bool) -> None:
    moved = 0
    with stop_on_ctrl_c() as pressed:
        for step in steps:
            moved += step
            click.echo(f"{rows_of(moved)} so far", err=True)
            if pressed.is_set():
                stopped = f"Stopped after {rows_of(moved)}; run it again for the rest."
                click.echo(json.dumps({done: moved, "stopped": True}) if as_json else stopped)
                raise SystemExit(130)
    click.echo(json.dumps({done: moved}) if as_json else f"{rows_of(moved)} {done}.")


@click.command("release", short_help="Send held rows to the CRM after all.")
@words_argument
@all_option
@click.option("--since", type=Moment(), help="Only rows that came since this time: 2026-11-21T14:30 (UTC), 2h, 3d.")
@click.option("--until", type=Moment(), help="Only rows that came before this time.")
@click.option("--reason", type=click.Choice([reason.value for reason in Held]), help="Only rows held for this.")
@kind_option
@click.option("--dry-run", is_flag=True, help="Report what would be released, by kind and reason; change nothing.")
@by_option
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
        reason=reason,
        kinds=(Kind(kind),) if kind else tuple(Kind),
    )
    _requeue(RELEASE, selection, by=by, dry_run=dry_run, as_json=as_json)
