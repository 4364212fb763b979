"""The commands themselves. Each reads the settings, does one thing, and says what it did."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from leads.crm_state.gate import Reason, open_gate, read_gate, shut_gate
from leads.mail.acknowledgements import count_acknowledgements
from leads.outbox.redrive import find_row, list_rows, read_timeline
from leads.outbox.stats import read_backlog
from leads.users import save_user
from worker.cli.checking import check
from worker.cli.complaining import complaints
from worker.cli.database import by_option, json_option, on_database
from worker.cli.erasing import erase, erasures
from worker.cli.exporting import export
from worker.cli.living import alive
from worker.cli.reconciling import reconcile
from worker.cli.redriving import redrive, release_rows
from worker.cli.retaining import retain
from worker.cli.tables import age, show

if TYPE_CHECKING:
    from leads.mail.acknowledgements import Acknowledgements


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def operate() -> None:
    """Look after the leads that are on their way to the CRM.

    Reads the same environment as the worker (DATABASE_URL and the ZOHO_… variables).
    """


@operate.command(short_help="What waits, in which state; the gate; the last tick.")
@json_option
def status(*, as_json: bool) -> None:
    """Rows by state and lane, the oldest due row, acknowledgements, the gate, and the last tick."""
    gate = on_database(read_gate)
    piles = on_database(read_backlog)
    mails = on_database(count_acknowledgements)
    if as_json:
        rows = [
            {"kind": p.kind, "status": p.status, "rows": p.rows, "oldest_due_seconds": p.oldest_due} for p in piles
        ]
        shown = {"state": gate.state, "reason": gate.reason, "detail": gate.detail, "by": gate.changed_by}
        tick = {"until": gate.until_at, "last_tick_seconds": gate.tick_age}
        told = {**asdict(mails), "oldest_due_seconds": mails.oldest_due}
        told.pop("oldest_due")
        document = {"gate": {**shown, **tick}, "rows": rows, "acknowledgements": told}
        click.echo(json.dumps(document, default=str, indent=2))
        return
    _show_gate(gate)
    _show_mails(mails)
    lanes = {"pending": "fresh", "retrying": "retry"}
    table = [
        {
            "kind": pile.kind,
            "status": pile.status,
            "lane": lanes.get(pile.status),
            "rows": pile.rows,
            "oldest due": age(pile.oldest_due),
        }
        for pile in piles
    ]
    show(table, ["kind", "status", "lane", "rows", "oldest due"], as_json=False, empty="No rows yet.")


def _show_gate(gate: Any) -> None:
    if gate.is_open:
        click.echo("Gate: open, calls flow.")
    else:
        until = f", next probe {gate.until_at:%H:%M:%S} UTC" if gate.until_at else ", until somebody resumes"
        click.echo(
            f"Gate: SHUT since {gate.changed_at:%Y-%m-%d %H:%M:%S} UTC ({gate.reason}, by {gate.changed_by}{until})"
        )
        click.echo(f"      {gate.detail}")
    click.echo(f"Last tick: {'never' if gate.tick_age is None else age(gate.tick_age) + ' ago'}\n")


def _show_mails(mails: Acknowledgements) -> None:
    waiting = "" if mails.oldest_due is None else f" (oldest due {age(mails.oldest_due)})"
    click.echo(
        f"Acknowledgements: {mails.owed} owed{waiting}, {mails.sent} sent, {mails.failed} failed, "
        f"{mails.skipped} skipped over the day's limit\n"
    )


def _list(state: str, most: int, empty: str, *, as_json: bool) -> None:
    rows = on_database(lambda engine: list_rows(engine, state, most=most))
    show(rows, ["kind", "id", "created_at", "retry_count", "last_error"], as_json=as_json, empty=empty)


@operate.command(short_help="Rows that were given up, and why.")
@click.option("--most", default=50, show_default=True, help="Newest rows of each kind, at most.")
@json_option
def dead(*, most: int, as_json: bool) -> None:
    """Rows that will not be sent again by themselves, with the reason."""
    _list("dead", most, "No dead rows.", as_json=as_json)


@operate.command()
@click.option("--most", default=50, show_default=True, help="Newest rows of each kind, at most.")
@json_option
def held(*, most: int, as_json: bool) -> None:
    """Rows kept back as suspected spam."""
    _list("held", most, "No held rows.", as_json=as_json)


@operate.command("show", short_help="One row's state and timeline.")
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


@operate.command()
@click.option("--why", required=True, help="The reason; every operator sees it in `status`.")
@by_option
def pause(*, why: str, by: str) -> None:
    """Stop all calls to the CRM, on every worker, within one tick. Leads are still accepted and kept."""
    on_database(lambda engine: shut_gate(engine, Reason.PAUSED, why, by=by))
    click.echo("Paused. Leads are stored and wait; `resume` lets them flow again.")


@operate.command(short_help="Open the gate, whatever shut it.")
@by_option
def resume(*, by: str) -> None:
    """Open the gate, whatever shut it, and pull forward what failed meanwhile."""
    on_database(lambda engine: open_gate(engine, by=by))
    click.echo("Open. Due rows are sent within one tick.")


@operate.command(short_help="Create a user, or set a password.")
@click.argument("username")
def user(*, username: str) -> None:
    """Create a user or set a user's password (asked for, or read from standard input)."""
    password = (
        click.prompt("Password", hide_input=True, confirmation_prompt=True) if sys.stdin.isatty() else input()
    )
    try:
        created = on_database(lambda engine: save_user(engine, username, password))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"User {username} {'created' if created else 'has a new password'}.")


for command in (alive, check, redrive, release_rows, erase, erasures, export, retain, complaints, reconcile):
    operate.add_command(command)
