"""The verdict on the product: what is wrong, how far, and what to do.

`status`, Flower's page and the metrics share it, so that none of them calls well what another one calls broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from leads.advice import ADVICE
from leads.destinations import CRM, VISITOR
from leads.durations import age, clock
from leads.outbox.stopped import in_words
from leads.overview import Overview

MAX_NAMED = 8  # rows


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing that can be wrong, and that a person can do something about."""

    name: str  # of the condition of `--fail-if`, the metric's label, and the key of `leads.advice.ADVICE`
    limit: float  # above which the figure is wrong
    label: str
    unit: str  # what the figure counts
    look: Callable[[Overview], tuple[float, str]]  # the figure, and the trouble in words, where it is one

    def figure(self, overview: Overview) -> float:
        """How far it is."""
        return self.look(overview)[0]

    @property
    def advice(self) -> str:
        """What it means, and what to do: the button, or the command."""
        return ADVICE[self.name]


class Trouble(NamedTuple):
    """What is wrong now, in words."""

    watch: Watch
    words: str


def find_troubles(overview: Overview) -> list[Trouble]:
    """Return what is wrong, the worst first; empty: all is well."""
    found = ((watch, *watch.look(overview)) for watch in WATCHES)
    return [Trouble(watch, words) for watch, figure, words in found if figure > watch.limit]


def _storage(overview: Overview) -> tuple[float, str]:
    error = overview.storage_error
    return float(error is not None), f"NO ENQUIRY CAN BE STORED ({error})"


def _workers(overview: Overview) -> tuple[float, str]:
    seconds = overview.worker_age
    since = "yet" if seconds is None else f"for {age(seconds)}"
    figure = float("inf") if seconds is None else seconds
    return figure, f"none has looked for due rows {since}: nothing is delivered"


def _paused(overview: Overview) -> tuple[float, str]:
    """A pause that has just begun counts, and credentials that were refused, though calls flow."""
    crm, words, figure = overview.crm, [], 0.0
    if crm.reason is not None:
        figure = max(0.001, overview.since(crm.changed_at))
        until = f"next trial {clock(crm.until_at)} UTC" if crm.until_at else "until an operator resumes"
        paused = f"PAUSED ({crm.reason}, by {crm.changed_by}) since {clock(crm.changed_at)} UTC"
        words.append(f"{paused}: {crm.detail}; {until}")
    if overview.refusal is not None:
        code, seconds = overview.refusal
        figure = max(figure, seconds)
        words.append(f"the CRM REFUSED our credentials {age(seconds)} ago (auth: {code})")
    return figure, "; ".join(words)


def _failing(overview: Overview) -> tuple[float, str]:
    seconds = overview.since(overview.crm.failing_since) if overview.waited() else 0.0
    return seconds, f"has taken nothing for {age(seconds)}, while something waits"


def _oldest(overview: Overview) -> tuple[float, str]:
    return overview.waited(), f"the oldest row for {age(overview.waited())}"


def _refused(overview: Overview) -> tuple[float, str]:
    refusals = overview.refusals
    dead = {name: overview.count("dead", destination=name) for name in overview.destinations if name != VISITOR}
    words = [f"{each.rows} REFUSED by {each.destination} ({each.words})" for each in refusals[:MAX_NAMED]]
    words += [f"{rows} to {name} GIVEN UP" for name, rows in dead.items() if rows]
    return float(sum(dead.values()) + sum(each.rows for each in refusals)), "; ".join(words)


def _held(overview: Overview) -> tuple[float, str]:
    rows = overview.held
    names = ", ".join(row.reference for row in rows[:MAX_NAMED]) + (", …" if len(rows) > MAX_NAMED else "")
    words = f"{len(rows)} WAIT FOR A PERSON and are not in the CRM ({in_words(rows)}): {names}"
    return float(len(rows)), words


def _redis(overview: Overview) -> tuple[float, str]:
    error = overview.redis_error
    return float(error is not None), f"DOES NOT ANSWER ({error}); workers deliver without it"


def _messages(overview: Overview) -> tuple[float, str]:
    waits = ((name, overview.waited(name)) for name in overview.destinations if name != CRM)
    name, seconds = max(waits, key=itemgetter(1), default=("", 0.0))
    return seconds, f"one to {name} has waited for {age(seconds)}"


def _fields(overview: Overview) -> tuple[float, str]:
    missing, lost = overview.fields.missing, overview.fields.missing_records or 0
    words = [f"MISSING or unfit in the CRM: {', '.join(missing)}"] if missing else []
    words += [f"{lost} of a sample of the day's sent rows have no record in the CRM"] if lost else []
    return float(len(missing) + lost), "; ".join(words)


def _losing(overview: Overview) -> tuple[float, str]:
    return float(overview.losing), f"{overview.losing} rows have lost five workers or more"


# The worst first. The limits are those of `status --fail-if` without a figure.
WATCHES = (
    Watch("storage", 0, "Database", "1 while no enquiry can be stored", _storage),
    Watch("workers", 60, "Workers", "seconds since a worker looked for due rows", _workers),
    Watch(
        "paused", 0, "Calls", "seconds that calls to the CRM have been paused, or our credentials refused", _paused
    ),
    Watch("failing", 300, "CRM", "seconds since the CRM last took anything, while something waits", _failing),
    Watch("oldest", 600, "Waiting", "seconds that the oldest row waits", _oldest),
    Watch("refused", 0, "Refused", "rows that are refused or given up, but for acknowledgements", _refused),
    Watch("held", 0, "Held", "held rows that wait for a person", _held),
    Watch("redis", 0, "Redis", "1 while Redis does not answer", _redis),
    Watch("messages", 600, "Messages", "seconds that the oldest message to a person waits", _messages),
    Watch("fields", 0, "Fields", "unfit fields and sampled rows without a record, by the last daily look", _fields),
    Watch("losing", 0, "Losing", "rows whose calls have lost five workers or more", _losing),
)
