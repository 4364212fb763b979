"""`status`: the backlog by state and reason, how the CRM answers, the stores, and the last tick."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from leads.crm_state.fields import FieldCheck
from leads.destinations import VISITOR
from leads.outbox.flow import Health
from leads.outbox.gate import Gate
from leads.outbox.held_real import in_words
from leads.outbox.selection import PILES, WAITING, Selection, count_rows
from leads.outbox.stats import read_database_size
from leads.overview import Overview, read_overview
from leads.page_failures import PageFailure
from leads.settings import read_settings
from worker.broker import broker_error
from worker.cli.database import json_option, on_database
from worker.cli.terminal import age, due_at, say, show

GIGABYTE = 1e9
MAX_PAGE_FAILURES = 8  # kinds of failures on pages that are named
MAX_HELD_NAMED = 8
LANES = {"pending": "fresh", "retrying": "retry"}


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that the command shows.

    refused_today: acknowledgements that were given up within the last day. set_up: the destinations that the
    settings here name. redis_error: None when it answers.
    """

    overview: Overview
    codes: list[dict[str, Any]]
    refused_today: int
    set_up: frozenset[str]
    redis_error: str | None
    database_bytes: int
    disk_free_bytes: int

    @property
    def oldest_seconds(self) -> float:
        """How long the oldest row waits for the CRM; 0: none does."""
        return _waited(self.overview.health)


# What `--fail-if` can ask, each with the limit that is meant without a figure.
CONDITIONS: dict[str, tuple[float, str]] = {
    "oldest": (600, "seconds that the oldest row waits"),
    "dead": (0, "dead rows, but for acknowledgements"),
    "refused": (0, "acknowledgements that were given up within a day"),
    "skipped": (0, "messages that a limit skipped"),
    "messages": (600, "seconds that the oldest message to a person waits"),
    "losing": (0, "rows whose calls have lost five workers or more"),
    "circling": (0, "rows that came back twenty times within an hour without a try"),
    "held": (0, "held rows"),
    "real": (0, "held rows of the last day that look real"),
    "failing": (300, "seconds since the CRM last took anything, while something waits"),
    "shut": (0, "seconds that the gate has been shut"),
    "tick": (60, "seconds since a worker ticked"),
    "fields": (0, "fields that are missing in the CRM or do not fit, by the last check"),
    "records": (0, "sent rows of a day's sample that have no record in the CRM"),
    "complaints": (0, "complaints about personal data that are held as suspected spam"),
    "pages": (10, "failures that pages reported in this hour and the one before"),
    "redis": (0, "1 while Redis does not answer"),
}


class Condition(click.ParamType[tuple[str, float]]):
    """A condition of --fail-if: dead, or oldest=900."""

    name = "condition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """The condition's name and its limit."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"([a-z]+)(?:=(\d+))?", value, re.ASCII)
        if not found or found[1] not in CONDITIONS:
            self.fail(f"{value!r} is none of {', '.join(CONDITIONS)}, with =NUMBER or without", param, ctx)
        return found[1], float(found[2]) if found[2] else CONDITIONS[found[1]][0]


@click.command(short_help="Show what waits and why, how the CRM answers, and the last tick.")
@click.option(
    "--fail-if",
    "conditions",
    type=Condition(),
    multiple=True,
    help="Exit code 1 when a figure is above its limit; for cron. "
    + "; ".join(f"{name}[={limit:g}]: {words}" for name, (limit, words) in CONDITIONS.items()),
)
@json_option
def status(*, conditions: tuple[tuple[str, float], ...], as_json: bool) -> None:
    """Show the gate, how the CRM answers, rows by state and by reason, mail owed, the stores, and the last tick."""
    state = on_database(_read)
    if as_json:
        click.echo(json.dumps(_document(state), default=str, indent=2))
    else:
        _show(state)
    figures = _figures(state)
    failed = [f"{name} is {figures[name]:g}" for name, limit in conditions if figures[name] > limit]
    if failed:
        click.echo(f"Failed: {', '.join(failed)}", err=True)
        raise SystemExit(1)


def _read(engine: Engine) -> Status:
    settings = read_settings()
    lately = Selection(states=("dead",), destination=VISITOR, since=datetime.now(UTC) - timedelta(days=1))
    return Status(
        overview=read_overview(engine),
        codes=count_rows(engine, Selection(states=tuple(PILES))),
        refused_today=sum(part["rows"] for part in count_rows(engine, lately)),
        set_up=frozenset([*settings.lead_destinations, *settings.click_destinations]),
        redis_error=broker_error(settings.redis_url),
        database_bytes=read_database_size(engine),
        disk_free_bytes=shutil.disk_usage(Path.cwd()).free,
    )


def _figures(state: Status) -> dict[str, float]:
    now, health, gate = datetime.now(UTC), state.overview.health, state.overview.gate
    failing = 0.0 if health.failing_since is None else (now - health.failing_since).total_seconds()
    return {
        "oldest": state.oldest_seconds,
        "dead": sum(
            state.overview.count("dead", destination=name) for name in state.overview.healths if name != VISITOR
        ),
        "refused": state.refused_today,
        "skipped": sum(state.overview.count("skipped", destination=name) for name in state.overview.messages),
        "messages": max((_waited(state.overview.healths[name]) for name in state.overview.messages), default=0.0),
        "losing": float(state.overview.losing),
        "circling": float(state.overview.circling),
        "held": state.overview.count("held"),
        "real": float(len(state.overview.held_real)),
        "failing": failing if health.oldest_waiting_at else 0.0,
        "shut": 0.0 if gate.is_open else max(0.001, (now - gate.changed_at).total_seconds()),
        "tick": float("inf") if gate.tick_age is None else gate.tick_age,
        "fields": float(len(state.overview.fields.missing)),
        "records": float(state.overview.fields.missing_records or 0),
        "complaints": float(state.overview.complaints.held),
        "pages": float(sum(times for _, times in state.overview.page_failures)),
        "redis": 0.0 if state.redis_error is None else 1.0,
    }


def _document(state: Status) -> dict[str, Any]:
    gate = state.overview.gate
    return {
        "gate": {
            "state": gate.state,
            "reason": gate.reason,
            "detail": gate.detail,
            "by": gate.changed_by,
            "until": gate.until_at,
            "last_tick_seconds": gate.tick_age,
        },
        "crm": asdict(state.overview.health) | {"token_refusal": state.overview.refusal},
        "fields": asdict(state.overview.fields),
        "rows": [
            {
                "destination": pile.destination,
                "kind": pile.kind,
                "status": pile.status,
                "rows": pile.rows,
                "oldest_due_seconds": pile.oldest_due,
            }
            for pile in state.overview.backlog
        ],
        "reasons": [part for part in state.codes if part["code"]],
        "messages": {name: _message_document(state, name) for name in state.overview.messages},
        "losing_rows": state.overview.losing,
        "circling_rows": state.overview.circling,
        "in_doubt": asdict(state.overview.doubt),
        "complaints": state.overview.complaints._asdict(),
        "held_real": [asdict(row) for row in state.overview.held_real],
        "page_failures": [asdict(failure) | {"times": times} for failure, times in state.overview.page_failures],
        "stores": {
            "redis": state.redis_error or "ok",
            "database_bytes": state.database_bytes,
            "disk_free_bytes": state.disk_free_bytes,
        },
    }


def _message_document(state: Status, name: str) -> dict[str, Any]:
    overview, gate, health = state.overview, state.overview.gates.get(name), state.overview.healths[name]
    states = ("sent", "dead", "skipped", "held")
    return {
        "set_up": name in state.set_up,
        "gate": gate
        and {"state": gate.state, "reason": gate.reason, "detail": gate.detail, "until": gate.until_at},
        "waiting": overview.count(*WAITING, destination=name),
        **{state: overview.count(state, destination=name) for state in states},
        "oldest_waiting_seconds": _waited(health),
    }


def _show_messages(state: Status, name: str) -> None:
    overview, gate = state.overview, state.overview.gates.get(name)
    waiting, oldest = overview.count(*WAITING, destination=name), _waited(overview.healths[name])
    waits = f"{waiting} waiting" + (f", the oldest for {age(oldest)}" if waiting else "")
    states = (f"{overview.count(state, destination=name)} {state}" for state in ("sent", "dead", "skipped"))
    shut = "" if gate is None or gate.is_open else f"; SHUT ({gate.reason}: {gate.detail})"
    unknown = "; NOT SET UP in these settings: no worker that has them sends there" if waiting else ""
    words = f"{waits}; {', '.join(states)}{shut}{'' if name in state.set_up else unknown}"
    say(words, label=f"{name.capitalize()}: ")


def _waited(health: Health) -> float:
    return 0.0 if health.oldest_waiting_at is None else max(0.0, _since(health.oldest_waiting_at))


def _show_pages(failures: list[tuple[PageFailure, int]]) -> None:
    if not failures:
        click.echo("Pages: no failure reported in this hour and the one before")
        return
    named = [
        f"{times} {failure.kind} of {failure.file} in {failure.engine} {failure.version or '?'}"
        for failure, times in failures[:MAX_PAGE_FAILURES]
    ]
    more = ", …" if len(failures) > MAX_PAGE_FAILURES else ""
    total = sum(times for _, times in failures)
    say(f"{total} FAILURES reported in this hour and the one before: {', '.join(named)}{more}", label="Pages: ")


def _show(state: Status) -> None:
    _show_gate(state.overview.gate)
    _show_crm(state)
    for name in state.overview.messages:
        _show_messages(state, name)
    if state.overview.losing:
        words = "rows have lost five workers or more; see `waiting --code WORKER_LOST`"
        say(f"{state.overview.losing} {words}", label="Losing: ")
    if state.overview.circling:
        words = "rows came back twenty times within an hour without a try; `show` says with which code"
        say(f"{state.overview.circling} {words}", label="Circling: ")
    if any(state.overview.complaints):
        waiting, held = state.overview.complaints
        words = f"; {held} more are HELD as suspected spam" if held else ""
        say(f"{waiting} wait for an answer{words}; `complaints` lists them", label="Complaints: ")
    if real := state.overview.held_real:
        named = ", ".join(row.reference for row in real[:MAX_HELD_NAMED])
        more = ", …" if len(real) > MAX_HELD_NAMED else ""
        words = f"{len(real)} LOOK REAL and are not in the CRM ({in_words(real)}): {named}{more}; see `release`"
        say(click.style(words, fg="red"), label="Held: ")
    _show_pages(state.overview.page_failures)
    redis_state = "ok" if state.redis_error is None else f"DOES NOT ANSWER ({state.redis_error}); ticks deliver"
    click.echo(f"Redis: {redis_state}")
    click.echo(f"Database: {_size(state.database_bytes)}; disk here: {_size(state.disk_free_bytes)} free")
    tick = state.overview.gate.tick_age
    click.echo(f"Last tick: {'never' if tick is None else age(tick) + ' ago'}\n")
    table = [
        {
            "destination": pile.destination,
            "kind": pile.kind,
            "status": pile.status,
            "lane": LANES.get(pile.status),
            "rows": pile.rows,
            "oldest due": age(pile.oldest_due),
        }
        for pile in state.overview.backlog
    ]
    show(
        table, ["destination", "kind", "status", "lane", "rows", "oldest due"], as_json=False, empty="No rows yet."
    )
    reasons = [
        part | {"next_try": due_at(part["next_try"]) if part["status"] in LANES else "-", "age": age(part["age"])}
        for part in state.codes
        if part["code"]
    ]
    if reasons:
        click.echo()
        show(reasons, ["destination", "kind", "status", "code", "rows", "next_try", "age"], as_json=False, empty="")


def _show_gate(gate: Gate) -> None:
    if gate.is_open:
        click.echo("Gate: open, calls to the CRM are allowed.")
        return
    until = f"next probe {gate.until_at:%H:%M:%S} UTC" if gate.until_at else "until an operator resumes"
    since = f"{gate.changed_at:%Y-%m-%d %H:%M:%S} UTC"
    say(f"SHUT since {since} ({gate.reason}, by {gate.changed_by})", label="Gate: ")
    say(f"{gate.detail}; {until}", label="      ")


def _show_crm(state: Status) -> None:
    health, waits = state.overview.health, state.overview.count("pending", "sending", "retrying")
    last = "never" if health.last_success_at is None else f"{age(_since(health.last_success_at))} ago"
    failing = "" if health.failing_since is None else f", FAILING for {age(_since(health.failing_since))}"
    click.echo(f"CRM: last delivery {last}{failing}")
    if state.overview.refusal is not None:
        code, seconds = state.overview.refusal
        say(f"Token: REFUSED {age(seconds)} ago ({code}); `check` says what to do")
    _show_fields(state.overview.fields)
    doubt = state.overview.doubt
    if doubt.rows or doubt.found:
        words = "rows whose last call failed over 5 minutes ago, which are looked for by their event ids"
        say(f"{doubt.rows} {words}; {doubt.found} of the last day were in the CRM already", label="In doubt: ")
    oldest = "" if not waits else f", the oldest for {age(state.oldest_seconds)}"
    click.echo(f"Waiting: {waits:,}{oldest}")


def _show_fields(fields: FieldCheck) -> None:
    if fields.checked_at is None:
        click.echo("Fields: not checked yet")
        return
    names = f"MISSING or unfit in the CRM: {', '.join(fields.missing)}; `check` says what is lost"
    found = names if fields.missing else "none missing or unfit in the CRM"
    say(f"{found} (checked {age(_since(fields.checked_at))} ago)", label="Fields: ")
    if fields.missing_records:
        words = "of a sample of the day's sent rows have no record in the CRM; `reconcile` names them"
        say(f"{fields.missing_records} {words}", label="Records: ")


def _since(at: datetime) -> float:
    return (datetime.now(UTC) - at).total_seconds()


def _size(count: float) -> str:
    return f"{count / GIGABYTE:,.1f} GB" if count >= GIGABYTE else f"{count / 1e6:,.1f} MB"
