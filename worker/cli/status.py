"""`status`: what is wrong and what to do; then the rows by state and reason, and the exit code for cron."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click
from sqlalchemy import Engine

from leads.advice import advice_here
from leads.broker import broker_error
from leads.destinations import STAFF_MAIL
from leads.durations import CITY, age, due_at
from leads.outbox.selection import STATES, WAITING, Selection, count_rows
from leads.outbox.stats import count_partly_refused
from leads.overview import Overview, read_overview
from leads.settings import read_settings
from leads.verdict import WATCHES, find_troubles
from worker.cli.database import json_option, on_database
from worker.cli.terminal import say, show

_CONDITIONS = {watch.name: watch for watch in WATCHES}


def _condition(text: str) -> tuple[str, float]:
    """Parse a condition of --fail-if and its limit: dead, or oldest=900."""
    found = re.fullmatch(r"([a-z]+)(?:=(\d+))?", text, re.ASCII)
    if not found or found[1] not in _CONDITIONS:
        raise click.BadParameter(f"{text!r} is none of {', '.join(_CONDITIONS)}, with =NUMBER or without")
    return found[1], float(found[2] or _CONDITIONS[found[1]].limit)


@click.command(short_help="Show what is wrong, how the CRM answers, and what waits.")
@click.option(
    "--fail-if",
    "conditions",
    type=_condition,
    multiple=True,
    help="Exit code 1 when a figure is above its limit; for cron. "
    + "; ".join(f"{watch.name}[={watch.limit:g}]: {watch.unit}" for watch in _CONDITIONS.values()),
)
@json_option
def status(*, conditions: tuple[tuple[str, float], ...], as_json: bool) -> None:
    """Show what is wrong and what to do about it; then how the CRM answers, and all rows by state and reason."""
    overview, parts, document = on_database(_read)
    if as_json:
        click.echo(json.dumps(document, default=str, indent=2))
    else:
        _show(overview, parts, document)
    figures = {name: _CONDITIONS[name].figure(overview) for name, _ in conditions}
    failed = [f"{name} is {figures[name]:g}" for name, limit in conditions if figures[name] > limit]
    if failed:
        click.echo(f"Failed: {', '.join(failed)}", err=True)
    if failed or not overview.is_read:
        raise SystemExit(1)


def _read(engine: Engine) -> tuple[Overview, list[dict[str, Any]], dict[str, Any]]:
    """Return the overview, the rows by destination, state and code, and the JSON document."""
    settings = read_settings()
    overview = read_overview(engine, settings.data_dir, broker_error(settings.redis_url))
    troubles = [asdict(each) | {"advice": advice_here(each.name)} for each in find_troubles(overview)]
    document: dict[str, Any] = {"troubles": troubles, **asdict(overview)}
    if not overview.is_read:
        return overview, [], document
    parts = count_rows(engine, Selection(states=STATES))
    strangers = [name for name in overview.destinations if name not in settings.lead_destinations]
    document |= {
        "reasons": [part for part in parts if part["code"]],
        # Rows wait for them, and no worker with these settings sends there.
        "not_set_up": [name for name in strangers if overview.count(*WAITING, destination=name)],
        "partly_refused": count_partly_refused(engine),
    }
    return overview, parts, document


def _show(overview: Overview, parts: list[dict[str, Any]], document: dict[str, Any]) -> None:
    troubles = document["troubles"]
    for place, trouble in enumerate(troubles, 1):
        say(trouble["words"], color="red" if trouble["is_red"] else "yellow")
        if trouble["name"] not in {later["name"] for later in troubles[place:]}:
            for line in trouble["advice"].splitlines():
                say(line, label="  ")
    click.echo("" if troubles else "All is well.\n")
    for label, words in _sentences(overview, document):
        say(words, label=f"{label}: ")
    if not overview.is_read:
        return
    click.echo()
    for part in parts:
        next_try = due_at(part["next_try"]) if part["status"] in WAITING else None
        part |= {"why": part["code"], "next_try": next_try, "age": age(part["age"])}
    sent = [asdict(group) for group in overview.backlog if group.status == "sent"]
    columns = ["destination", "kind", "status", "why", "rows", "next_try", "age"]
    show([*parts, *sent], columns, as_json=False, empty="No rows yet.")


def _sentences(overview: Overview, document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names of parts, and what is said of each."""
    if overview.is_read:
        last, seen, checked = overview.answered().sent_at, overview.worker_age, overview.fields.checked_at
        yield "CRM", f"last delivery {'never' if last is None else f'{age(overview.since(last))} ago'}"
        for name in document["not_set_up"]:
            yield name, "NOT SET UP in these settings: no worker that has them sends there"
        if times := document["partly_refused"]:
            yield (
                STAFF_MAIL,
                f"an address of STAFF_MAIL_TO was refused {times} times within a day; `check` names it",
            )
        yield "Workers", "last seen never" if seen is None else f"last seen {age(seen)} ago"
        yield "Fields", "not checked yet" if checked is None else f"checked {age(overview.since(checked))} ago"
    for folder, free in overview.free_bytes.items():
        yield "Disk", f"{free / 1e9:,.1f} GB free at {folder}"
    yield "Times", CITY
