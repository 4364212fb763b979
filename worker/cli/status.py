"""`status`: what is wrong and what to do; then the rows by state and reason, and the exit code for cron."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from leads.destinations import CRM, STAFF_MAIL
from leads.durations import age, due_at
from leads.outbox.selection import STATES, WAITING, Selection, count_rows
from leads.outbox.stats import count_partly_refused, read_database_size
from leads.overview import Overview, read_overview
from leads.settings import read_settings
from leads.verdict import WATCHES, find_troubles
from worker.broker import broker_error
from worker.cli.database import json_option, on_database
from worker.cli.terminal import say, show

GIGABYTE = 1e9


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that the command shows. set_up: the destinations that the settings here name."""

    overview: Overview
    codes: list[dict[str, Any]]
    set_up: frozenset[str]
    partly_refused: int
    database_bytes: int
    disk_free_bytes: int


_CONDITIONS = {watch.name: watch for watch in WATCHES}


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


@click.command(short_help="Show what is wrong, how the CRM answers, and what waits.")
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
    """Show what is wrong and what to do about it; then how the CRM answers, and all rows by state and reason."""
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
        set_up=frozenset([*settings.lead_destinations, *settings.click_destinations]),
        partly_refused=count_partly_refused(engine),
        database_bytes=read_database_size(engine),
        disk_free_bytes=shutil.disk_usage(Path.cwd()).free,
    )


def _document(state: Status) -> dict[str, Any]:
    overview = state.overview
    return {
        "troubles": [
            {"name": watch.name, "label": watch.label, "words": words, "advice": watch.advice}
            for watch, words in find_troubles(overview)
        ],
        "destinations": {name: asdict(each) for name, each in overview.destinations.items()},
        "worker_age": overview.worker_age,
        "health": {name: asdict(health) for name, health in overview.healths.items()},
        "token_refusal": overview.refusal,
        "fields": asdict(overview.fields),
        "rows": [asdict(pile) for pile in overview.backlog],
        "reasons": [part for part in state.codes if part["code"]],
        "not_set_up": _strangers(state),
        "partly_refused": state.partly_refused,
        "held": [asdict(row) for row in overview.held],
        "stores": {
            "redis": overview.redis_error or "ok",
            "database_bytes": state.database_bytes,
            "disk_free_bytes": state.disk_free_bytes,
        },
    }


def _strangers(state: Status) -> list[str]:
    """Destinations to which rows wait, and that these settings do not name: no worker that has them sends there."""
    overview = state.overview
    names = [name for name in overview.healths if name not in state.set_up]
    return [name for name in names if overview.count(*WAITING, destination=name)]


def _show(state: Status) -> None:
    overview, health = state.overview, state.overview.health
    for watch, words in find_troubles(overview):
        say(words, label=f"{watch.label}: ", red=True)
        for line in watch.advice.splitlines():
            say(line, label="  ")
    click.echo("" if find_troubles(overview) else "All is well.\n")
    last = "never" if health.last_success_at is None else f"{age(overview.since(health.last_success_at))} ago"
    failing = "" if health.failing_since is None else f", FAILING for {age(overview.since(health.failing_since))}"
    say(f"last delivery {last}{failing}", label="CRM: ")
    for name, each in overview.destinations.items():
        if name != CRM and each.reason is not None:
            say(f"PAUSED ({each.reason}: {each.detail})", label=f"{name}: ")
    for name in _strangers(state):
        say("NOT SET UP in these settings: no worker that has them sends there", label=f"{name}: ")
    if state.partly_refused:
        words = (
            f"an address of STAFF_MAIL_TO was refused {state.partly_refused} times within a day; `check` names it"
        )
        say(words, label=f"{STAFF_MAIL}: ", red=True)
    seen = overview.worker_age
    say("last seen never" if seen is None else f"last seen {age(seen)} ago", label="Workers: ")
    checked = overview.fields.checked_at
    say("not checked yet" if checked is None else f"checked {age(overview.since(checked))} ago", label="Fields: ")
    say(f"{_size(state.database_bytes)}; disk here: {_size(state.disk_free_bytes)} free", label="Database: ")
    click.echo()
    columns = ["destination", "kind", "status", "why", "rows", "next_try", "age"]
    show(_lines(state), columns, as_json=False, empty="No rows yet.")


def _lines(state: Status) -> list[dict[str, Any]]:
    """One line for each destination, kind, state and reason."""
    waiting = [
        part
        | {
            "why": part["code"],
            "next_try": due_at(part["next_try"]) if part["status"] in WAITING else None,
            "age": age(part["age"]),
        }
        for part in state.codes
    ]
    return waiting + [asdict(pile) for pile in state.overview.backlog if pile.status == "sent"]


def _size(count: float) -> str:
    return f"{count / GIGABYTE:,.1f} GB" if count >= GIGABYTE else f"{count / 1e6:,.1f} MB"
