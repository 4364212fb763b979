"""`status`: what is wrong, the backlog by state and reason, how the CRM answers, the stores, the last tick."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from leads.destinations import DETAILS
from leads.durations import age, due_at
from leads.outbox.selection import STATES, WAITING, Selection, count_rows
from leads.outbox.stats import read_database_size
from leads.overview import Overview, read_overview
from leads.settings import read_settings
from leads.verdict import HELD, WATCHES, Trouble, find_troubles
from worker.broker import broker_error
from worker.cli.database import json_option, on_database
from worker.cli.terminal import say, show

GIGABYTE = 1e9
RUNBOOK = "docs/runbook.md"
LANES = {"pending": "fresh", "retrying": "retry"}


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that the command shows. set_up: the destinations that the settings here name."""

    overview: Overview
    codes: list[dict[str, Any]]
    set_up: frozenset[str]
    database_bytes: int
    disk_free_bytes: int


_CONDITIONS = {watch.name: watch for watch in (*WATCHES, HELD)}


class Condition(click.ParamType[tuple[str, float]]):
    """A condition of --fail-if: dead, or oldest=900."""

    name = "condition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """The condition's name and its limit."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"([a-z]+)(?:=(\d+))?", value, re.ASCII)
        if not found or found[1] not in _CONDITIONS:
            self.fail(f"{value!r} is none of {', '.join(_CONDITIONS)}, with =NUMBER or without", param, ctx)
        return found[1], float(found[2]) if found[2] else _CONDITIONS[found[1]].limit


@click.command(short_help="Show what waits and why, how the CRM answers, and the last tick.")
@click.option(
    "--fail-if",
    "conditions",
    type=Condition(),
    multiple=True,
    help="Exit code 1 when a figure is above its limit; for cron. "
    + "; ".join(f"{watch.name}[={watch.limit:g}]: {watch.unit}" for watch in _CONDITIONS.values()),
)
@json_option
def status(*, conditions: tuple[tuple[str, float], ...], as_json: bool) -> None:
    """Show what is wrong, with its section of the runbook; how the CRM answers, and rows by state and by reason."""
    state = on_database(_read)
    if as_json:
        click.echo(json.dumps(_document(state), default=str, indent=2))
    else:
        _show(state)
    figures = {name: _CONDITIONS[name].figure(state.overview) for name, _ in conditions}
    failed = [f"{name} is {figures[name]:g}" for name, limit in conditions if figures[name] > limit]
    if failed:
        click.echo(f"Failed: {', '.join(failed)}", err=True)
        raise SystemExit(1)


def _read(engine: Engine) -> Status:
    settings = read_settings()
    return Status(
        overview=read_overview(engine, broker_error(settings.redis_url)),
        codes=count_rows(engine, Selection(states=STATES)),
        set_up=frozenset([*settings.lead_destinations, *settings.click_destinations, DETAILS]),
        database_bytes=read_database_size(engine),
        disk_free_bytes=shutil.disk_usage(Path.cwd()).free,
    )


def _document(state: Status) -> dict[str, Any]:
    gate = state.overview.gate
    return {
        "troubles": [
            {
                "name": watch.name,
                "label": watch.label,
                "words": words,
                "section": watch.section,
                "is_red": watch.is_red,
                "runbook": f"{RUNBOOK}#{watch.anchor}",
            }
            for watch, words in find_troubles(state.overview)
        ],
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
        "messages": {name: _message_document(state, name) for name in state.overview.others},
        "losing_rows": state.overview.losing,
        "circling_rows": state.overview.circling,
        "held_real": [asdict(row) for row in state.overview.held_real],
        "stores": {
            "redis": state.overview.redis_error or "ok",
            "database_bytes": state.database_bytes,
            "disk_free_bytes": state.disk_free_bytes,
        },
    }


def _message_document(state: Status, name: str) -> dict[str, Any]:
    overview, gate = state.overview, state.overview.gates.get(name)
    states = ("sent", "dead", "skipped", "held")
    return {
        "set_up": name in state.set_up,
        "gate": gate
        and {"state": gate.state, "reason": gate.reason, "detail": gate.detail, "until": gate.until_at},
        "waiting": overview.count(*WAITING, destination=name),
        **{state: overview.count(state, destination=name) for state in states},
        "oldest_waiting_seconds": overview.waited(name),
    }


def _show_messages(state: Status, name: str) -> None:
    overview, gate = state.overview, state.overview.gates.get(name)
    waiting, oldest = overview.count(*WAITING, destination=name), overview.waited(name)
    waits = f"{waiting} waiting" + (f", the oldest for {age(oldest)}" if waiting else "")
    states = (f"{overview.count(state, destination=name)} {state}" for state in ("sent", "dead", "skipped"))
    shut = "" if gate is None or gate.is_open else f"; SHUT ({gate.reason}: {gate.detail})"
    unknown = "; NOT SET UP in these settings: no worker that has them sends there" if waiting else ""
    words = f"{waits}; {', '.join(states)}{shut}{'' if name in state.set_up else unknown}"
    say(words, label=f"{name.capitalize()}: ")


def _show(state: Status) -> None:
    troubles = find_troubles(state.overview)
    _show_troubles(troubles)
    if state.overview.gate.is_open:
        click.echo("Gate: open, calls to the CRM are allowed.")
    _show_crm(state.overview)
    for name in state.overview.others:
        _show_messages(state, name)
    tick = state.overview.gate.tick_age
    click.echo(f"Last tick: {'never' if tick is None else age(tick) + ' ago'}")
    click.echo(f"Database: {_size(state.database_bytes)}; disk here: {_size(state.disk_free_bytes)} free\n")
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


def _show_troubles(troubles: list[Trouble]) -> None:
    for watch, words in troubles:
        shown = click.style(words, fg="red") if watch.is_red else words
        say(f"{shown} ({RUNBOOK}#{watch.anchor})", label=f"{watch.label}: ")
    if not troubles:
        click.echo("All is well.")
    click.echo()


def _show_crm(overview: Overview) -> None:
    health, waits = overview.health, overview.count(*WAITING)
    last = "never" if health.last_success_at is None else f"{age(overview.since(health.last_success_at))} ago"
    failing = "" if health.failing_since is None else f", FAILING for {age(overview.since(health.failing_since))}"
    click.echo(f"CRM: last delivery {last}{failing}")
    oldest = "" if not waits else f", the oldest for {age(overview.waited())}"
    click.echo(f"Waiting: {waits:,}{oldest}")
    checked = overview.fields.checked_at
    if not overview.fields.missing:
        words = (
            "not checked yet"
            if checked is None
            else f"none missing or unfit in the CRM ({age(overview.since(checked))} ago)"
        )
        click.echo(f"Fields: {words}")


def _size(count: float) -> str:
    return f"{count / GIGABYTE:,.1f} GB" if count >= GIGABYTE else f"{count / 1e6:,.1f} MB"
