"""`status`: the backlog by state and reason, how the CRM answers, the stores, and the last tick."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from leads.crm_state.fields import FieldCheck
from leads.crm_state.gate import Gate
from leads.mail.owed import Messages
from leads.outbox.stats import read_database_size
from leads.outbox.waiting import count_by_code
from leads.overview import Overview, read_overview
from leads.settings import read_settings
from worker.broker import broker_error
from worker.cli.database import json_option, on_database
from worker.cli.terminal import age, due_at, say, show

GIGABYTE = 1e9
LANES = {"pending": "fresh", "retrying": "retry"}


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that the command shows. `redis_error`: None when it answers."""

    overview: Overview
    codes: list[dict[str, Any]]
    redis_error: str | None
    database_bytes: int
    disk_free_bytes: int

    @property
    def oldest_seconds(self) -> float:
        """How long the oldest row waits; 0: none does."""
        at = self.overview.health.oldest_waiting_at
        return 0.0 if at is None else _since(at)


# What `--fail-if` can ask, each with the limit that is meant without a figure.
CONDITIONS: dict[str, tuple[float, str]] = {
    "oldest": (600, "seconds that the oldest row waits"),
    "dead": (0, "dead rows"),
    "held": (0, "held rows"),
    "failing": (300, "seconds since the CRM last took anything, while something waits"),
    "shut": (0, "seconds that the gate has been shut"),
    "tick": (60, "seconds since a worker ticked"),
    "fields": (0, "fields missing in the CRM, by the last check"),
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
    return Status(
        overview=read_overview(engine),
        codes=count_by_code(engine),
        redis_error=broker_error(read_settings().redis_url),
        database_bytes=read_database_size(engine),
        disk_free_bytes=shutil.disk_usage(Path.cwd()).free,
    )


def _figures(state: Status) -> dict[str, float]:
    now, health, gate = datetime.now(UTC), state.overview.health, state.overview.gate
    failing = 0.0 if health.failing_since is None else (now - health.failing_since).total_seconds()
    return {
        "oldest": state.oldest_seconds,
        "dead": state.overview.count("dead"),
        "held": state.overview.count("held"),
        "failing": failing if health.oldest_waiting_at else 0.0,
        "shut": 0.0 if gate.is_open else max(0.001, (now - gate.changed_at).total_seconds()),
        "tick": float("inf") if gate.tick_age is None else gate.tick_age,
        "fields": float(len(state.overview.fields.missing)),
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
            {"kind": pile.kind, "status": pile.status, "rows": pile.rows, "oldest_due_seconds": pile.oldest_due}
            for pile in state.overview.backlog
        ],
        "reasons": [part for part in state.codes if part["code"]],
        "acknowledgements": _messages(state.overview.mails),
        "staff_notices": _messages(state.overview.notices),
        "stores": {
            "redis": state.redis_error or "ok",
            "database_bytes": state.database_bytes,
            "disk_free_bytes": state.disk_free_bytes,
        },
    }


def _messages(messages: Messages) -> dict[str, Any]:
    document = asdict(messages)
    return document | {"oldest_due_seconds": document.pop("oldest_due")}


def _show_messages(name: str, messages: Messages) -> None:
    oldest = "" if messages.oldest_due is None else f" (oldest due {age(messages.oldest_due)})"
    settled = f"{messages.sent} sent, {messages.failed} failed, {messages.skipped} skipped"
    say(f"{name}: {messages.owed} owed{oldest}, {settled}")


def _show(state: Status) -> None:
    _show_gate(state.overview.gate)
    _show_crm(state)
    _show_messages("Acknowledgements", state.overview.mails)
    _show_messages("Staff notices", state.overview.notices)
    redis_state = "ok" if state.redis_error is None else f"DOES NOT ANSWER ({state.redis_error}); ticks deliver"
    click.echo(f"Redis: {redis_state}")
    click.echo(f"Database: {_size(state.database_bytes)}; disk here: {_size(state.disk_free_bytes)} free")
    tick = state.overview.gate.tick_age
    click.echo(f"Last tick: {'never' if tick is None else age(tick) + ' ago'}\n")
    table = [
        {
            "kind": pile.kind,
            "status": pile.status,
            "lane": LANES.get(pile.status),
            "rows": pile.rows,
            "oldest due": age(pile.oldest_due),
        }
        for pile in state.overview.backlog
    ]
    show(table, ["kind", "status", "lane", "rows", "oldest due"], as_json=False, empty="No rows yet.")
    reasons = [
        part | {"next_try": due_at(part["next_try"]) if part["status"] in LANES else "-", "age": age(part["age"])}
        for part in state.codes
        if part["code"]
    ]
    if reasons:
        click.echo()
        show(reasons, ["kind", "status", "code", "rows", "next_try", "age"], as_json=False, empty="")


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
    oldest = "" if not waits else f", the oldest for {age(state.oldest_seconds)}"
    click.echo(f"Waiting: {waits:,}{oldest}")


def _show_fields(fields: FieldCheck) -> None:
    if fields.checked_at is None:
        click.echo("Fields: not checked yet")
        return
    names = f"MISSING in the CRM: {', '.join(fields.missing)}; `check` says what is lost"
    found = names if fields.missing else "none missing in the CRM"
    say(f"{found} (checked {age(_since(fields.checked_at))} ago)", label="Fields: ")


def _since(at: datetime) -> float:
    return (datetime.now(UTC) - at).total_seconds()


def _size(count: float) -> str:
    return f"{count / GIGABYTE:,.1f} GB" if count >= GIGABYTE else f"{count / 1e6:,.1f} MB"
