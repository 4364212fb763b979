"""`redrive` and `release`: change rows in steps that can be interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import click

from leads.outbox.operate import Change
from leads.outbox.selection import STATES, Selection, count_rows
from worker.cli.database import (
    Moment,
    by_option,
    code_option,
    find_ids,
    json_option,
    on_database,
    rows_of,
    why_option,
)
from worker.cli.terminal import show, stop_on_ctrl_c

_OPTIONS = (
    click.argument("rows", nargs=-1),
    click.option("--all", "everything", is_flag=True, help="All rows, not only those given by id."),
    click.option(
        "--since", type=Moment(), help="Only rows that stopped since then: 2026-11-21T14:30 (UTC), 2h, 3d."
    ),
    code_option,
    click.option("--dry-run", is_flag=True, help="Report what would be moved, by kind and code; change nothing."),
    by_option,
    why_option,
    json_option,
)


def _selecting(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of both commands."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(short_help="Send dead letters again, and retry at once what waits for it.")
@_selecting
def redrive(**options: Any) -> None:
    """Send dead rows (dead letters) again, as if they were new, and retry those at once that wait for a retry.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with --code and --since
    (both must match), or use --all. Works in steps of 1,000 rows, each committed and recorded; you can interrupt it
    at any time and run it again for the rest. Dead rows wait behind new leads; the others keep the count of their
    tries. Acknowledgements of more than a day ago stay dead, unless you name their rows.
    """
    _run(Change.REDRIVEN, **options)


@click.command("release", short_help="Send held rows to the CRM after all, or delete them.")
@_selecting
@click.option("--spam", is_flag=True, help="Delete them instead, with all that was entered.")
def release_rows(*, spam: bool, **options: Any) -> None:
    """Send held rows, which were suspected spam, to the CRM after all.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with --code (why they are
    held) and --since (both must match), or use --all. Leads of the last day are acknowledged by e-mail, as if they
    had just come.
    """
    _run(Change.DELETED if spam else Change.RELEASED, **options)


def _run(  # noqa: PLR0913 - one for each option
    change: Change,
    *,
    rows: tuple[str, ...],
    everything: bool,
    since: datetime | None,
    code: str | None,
    dry_run: bool,
    by: str,
    why: str,
    as_json: bool,
) -> None:
    if not (rows or everything or since or code):
        raise click.UsageError("Name rows, select them (--code, --since), or use --all.")
    ids = None if everything else on_database(lambda engine: find_ids(engine, rows))
    selection = change.concerned(Selection(states=STATES, ids=ids, since=since, code=code))
    if dry_run:
        found = on_database(lambda engine: count_rows(engine, selection))
        columns = ["destination", "kind", "status", "code", "rows", "first", "last"]
        show(found, columns, as_json=as_json, empty=f"No matching {' or '.join(change.states)} rows.")
    else:
        on_database(lambda engine: _move(change, change.make(engine, selection, by=by, why=why), as_json=as_json))


def _move(change: Change, steps: Iterator[int], *, as_json: bool) -> None:
    moved = 0
    with stop_on_ctrl_c() as pressed:
        for step in steps:
            moved += step
            click.echo(f"{rows_of(moved)} so far", err=True)
            if pressed.is_set():
                stopped = f"Stopped after {rows_of(moved)}; run it again for the rest."
                click.echo(json.dumps({change: moved, "stopped": True}) if as_json else stopped)
                raise SystemExit(130)
    click.echo(json.dumps({change: moved}) if as_json else f"{rows_of(moved)} {change}.")
