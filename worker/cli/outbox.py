"""The outbox at the command line: `waiting`, `show`, `redrive`, `release`, `pause` and `resume`."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import click
from sqlalchemy import Engine

from leads.destinations import CRM
from leads.durations import age, clock
from leads.outbox import operate
from leads.outbox.find import find_rows, newest_lead, read_timeline
from leads.outbox.operate import Change
from leads.outbox.pause import read_destinations
from leads.outbox.selection import STATES, WAITING, Selection, list_rows
from worker.cli.database import Moment, by_option, json_option, limit_option, on_database
from worker.cli.terminal import CALL_ID_LENGTH, say, show

_COLUMNS = ["id", "ref", "destination", "status", "why", "tries", "next_try", "age"]
_code_option = click.option("--code", help="Only rows with this code, as `waiting` shows it: INVALID_DATA.")
_why_option = click.option("--why", default="", help="The reason; recorded with your name.")


def _known(_ctx: click.Context, _param: click.Parameter, name: str | None) -> str | None:
    """The name that an option gives, if there is such a destination."""
    if name is not None and name not in (names := on_database(read_destinations)):
        raise click.BadParameter(f"{name} is no destination; there are {', '.join(names)}.")
    return name


@click.command(short_help="List what waits, was given up or is held, and why.")
@click.option("--state", type=click.Choice(STATES), help="Only rows in this state; without it, all that wait.")
@_code_option
@click.option("--destination", callback=_known, help="Only what is owed to this one, as `status` names it.")
@limit_option
@json_option
def waiting(*, state: str | None, code: str | None, destination: str | None, limit: int, as_json: bool) -> None:
    """List the rows that wait, the longest waiting first: for whom, why, how often tried, and when next.

    With --state refused, what the CRM or a receiver does not take as it is; with --state dead, what was given up
    until `redrive`; with --state held, suspected spam until `release`; with --state skipped, messages that a limit
    left out.
    """
    selection = Selection(states=(state,) if state else WAITING, destination=destination, code=code)
    order = "oldest" if set(selection.states) <= set(WAITING) else "newest"
    rows = on_database(lambda engine: list_rows(engine, selection, limit=limit, order=order))
    if not as_json:
        for row in rows:
            next_try = row["next"] if isinstance(row["next"], str) else clock(row["next"])
            row |= {"ref": row["reference"], "next_try": next_try, "age": age(row["age"])}
    show(rows, _COLUMNS, as_json=as_json, empty=f"Nothing is {state}." if state else "Nothing waits.")


@click.command("show", short_help="Show one row's state and timeline.")
@click.argument("row", required=False)
@json_option
def show_row(*, row: str | None, as_json: bool) -> None:
    """Show one row's state and timeline; without ROW that of the newest lead.

    ROW is the beginning of its id, the reference on the thank-you page, the code of a WhatsApp message, an e-mail
    address, or a phone number with its country code. Several rows are listed. The id of a call is that of the
    worker's log and of the CRM.
    """
    rows = on_database(lambda engine: _find(engine, row or str(newest_lead(engine) or "")))
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
    for event in timeline:
        event |= {"call": (event["call_id"] or "-")[:CALL_ID_LENGTH], "what": _describe(event)}
    show(timeline, ["at", "destination", "event", "call", "what"], as_json=False, empty="No attempts yet.")


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


def _find(engine: Engine, word: str) -> list[dict[str, Any]]:
    if found := find_rows(engine, word):
        return found
    raise click.ClickException(f"No row has that id, reference, code, e-mail address or phone number: {word}")


_SELECTING = (
    click.argument("rows", nargs=-1),
    click.option("--all", "everything", is_flag=True, help="All rows, not only those given by id."),
    click.option(
        "--since", type=Moment(), help="Only rows that stopped since then: 2026-11-21T14:30 (Istanbul), 2h."
    ),
    _code_option,
    by_option,
    _why_option,
)


def _selecting(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of both commands."""
    for option in reversed(_SELECTING):
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
    _change(Change.REDRIVEN, **options)


@click.command("release", short_help="Send held rows to the CRM after all, or delete them.")
@_selecting
@click.option("--spam", is_flag=True, help="Delete them instead, with all that was entered.")
def release_rows(*, spam: bool, **options: Any) -> None:
    """Send held rows, which were suspected spam, to the CRM after all.

    Name rows (by the beginning of the id, reference, code, e-mail or phone), select them with --code (why they are
    held) and --since (both must match), or use --all. Leads of the last day are acknowledged by e-mail, as if they
    had just come.
    """
    _change(Change.DELETED if spam else Change.RELEASED, **options)


def _change(  # noqa: PLR0913 - one for each option
    change: Change,
    *,
    rows: tuple[str, ...],
    everything: bool,
    since: datetime | None,
    code: str | None,
    by: str,
    why: str,
) -> None:
    if not (rows or everything or since or code):
        raise click.UsageError("Name rows, select them (--code, --since), or use --all.")
    ids = None if everything else on_database(lambda engine: _ids_of(engine, rows))
    selection = change.concerned(Selection(states=STATES, ids=ids, since=since, code=code))
    moved = on_database(lambda engine: sum(change.make(engine, selection, by=by, why=why)))
    click.echo(f"{moved:,} {'row' if moved == 1 else 'rows'} {change}.")


def _ids_of(engine: Engine, words: Sequence[str]) -> list[UUID] | None:
    """The ids of the rows that the words mean (see `find_rows`); None without words.

    An e-mail address or a phone number means all of its rows; anything else must mean one.
    """
    ids: list[UUID] = []
    for word in words:
        found = _find(engine, word)
        if len(found) > 1 and not word.startswith("+") and "@" not in word:
            raise click.ClickException(f"{len(found)} rows begin or are named like {word}; give more of the id.")
        ids += [row["id"] for row in found]
    return ids or None


_whose_option = click.option(
    "--destination", callback=_known, default=CRM, show_default=True, help="Whose calls, as `status` names it."
)


@click.command(short_help="Stop all calls to the CRM, or to another destination.")
@click.option("--why", required=True, help="The reason; every operator sees it in `status`.")
@_whose_option
@by_option
def pause(*, why: str, destination: str, by: str) -> None:
    """Stop all calls to the CRM, or to another destination, on every worker. Leads are still accepted and kept."""
    on_database(lambda engine: operate.pause(engine, by=by, why=why, destination=destination))
    click.echo("Paused. Leads are stored and wait until `resume`.")


@click.command(short_help="Let calls flow again, whatever paused them.")
@_whose_option
@by_option
@_why_option
def resume(*, destination: str, by: str, why: str) -> None:
    """Let calls flow again, whatever paused them, and make all rows due now that failed, refused ones too."""
    on_database(lambda engine: operate.resume(engine, by=by, why=why, destination=destination))
    click.echo("Resumed. Due rows are sent within seconds.")
