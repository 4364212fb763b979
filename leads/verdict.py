"""The verdict on the product: what is wrong, how far, and what to do.

`status`, Flower's page and the metrics share it, so that none of them calls well what another one calls broken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
    unit: str  # what the figure counts
    label: str
    figure: Callable[[Overview], float]
    words: Callable[[Overview], str]

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
    return [Trouble(watch, watch.words(overview)) for watch in WATCHES if watch.figure(overview) > watch.limit]


def _paused(overview: Overview) -> float:
    seconds = 0.0 if overview.crm.reason is None else max(0.001, overview.since(overview.crm.changed_at))
    return max(seconds, 0.0 if overview.refusal is None else overview.refusal[1])


def _paused_words(overview: Overview) -> str:
    crm, words = overview.crm, ""
    if overview.refusal is not None:
        code, seconds = overview.refusal
        words = f"the CRM REFUSED our credentials {age(seconds)} ago (auth: {code})"
    if crm.reason is None:
        return words
    until = f"next trial {clock(crm.until_at)} UTC" if crm.until_at else "until an operator resumes"
    paused = f"PAUSED ({crm.reason}, by {crm.changed_by}) since {clock(crm.changed_at)} UTC: {crm.detail}; {until}"
    return f"{paused}; {words}" if words else paused


def _failing(overview: Overview) -> float:
    return overview.since(overview.crm.failing_since) if overview.waited() else 0.0


def _worker_words(overview: Overview) -> str:
    since = "yet" if overview.worker_age is None else f"for {age(overview.worker_age)}"
    return f"none has looked for due rows {since}: nothing is delivered"


def _held_words(overview: Overview) -> str:
    rows = overview.held
    names = ", ".join(row.reference for row in rows[:MAX_NAMED]) + (", …" if len(rows) > MAX_NAMED else "")
    return f"{len(rows)} WAIT FOR A PERSON and are not in the CRM ({in_words(rows)}): {names}"


def _given_up(overview: Overview) -> dict[str, int]:
    counts = {name: overview.count("dead", destination=name) for name in overview.destinations if name != VISITOR}
    return {name: rows for name, rows in counts.items() if rows}


def _refused(overview: Overview) -> float:
    return float(sum(_given_up(overview).values()) + sum(refusal.rows for refusal in overview.refusals))


def _refused_words(overview: Overview) -> str:
    refused = [
        f"{each.rows} REFUSED by {each.destination} ({each.words})" for each in overview.refusals[:MAX_NAMED]
    ]
    return "; ".join([*refused, *(f"{rows} to {name} GIVEN UP" for name, rows in _given_up(overview).items())])


def _messages(overview: Overview) -> dict[str, float]:
    return {name: overview.waited(name) for name in overview.destinations if name != CRM}


def _message_words(overview: Overview) -> str:
    name, seconds = max(_messages(overview).items(), key=lambda item: item[1])
    return f"one to {name} has waited for {age(seconds)}"


def _fields(overview: Overview) -> float:
    return float(len(overview.fields.missing) + (overview.fields.missing_records or 0))


def _fields_words(overview: Overview) -> str:
    fields, lost = ", ".join(overview.fields.missing), overview.fields.missing_records
    return "; ".join(
        [f"MISSING or unfit in the CRM: {fields}"] * bool(fields)
        + [f"{lost} of a sample of the day's sent rows have no record in the CRM"] * bool(lost)
    )


# The worst first. The limits are those of `status --fail-if` without a figure.
WATCHES = (
    Watch(
        "storage", 0, "1 while no enquiry can be stored", "Database",
        lambda overview: float(overview.storage_error is not None),
        lambda overview: f"NO ENQUIRY CAN BE STORED ({overview.storage_error})",
    ),
    Watch(
        "workers", 60, "seconds since a worker looked for due rows", "Workers",
        lambda overview: float("inf") if overview.worker_age is None else overview.worker_age,
        _worker_words,
    ),
    Watch(
        "paused", 0, "seconds that calls to the CRM have been paused, or our credentials refused", "Calls",
        _paused, _paused_words,
    ),
    Watch(
        "failing", 300, "seconds since the CRM last took anything, while something waits", "CRM",
        _failing,
        lambda overview: f"has taken nothing for {age(_failing(overview))}, while something waits",
    ),
    Watch(
        "oldest", 600, "seconds that the oldest row waits", "Waiting",
        lambda overview: overview.waited(),
        lambda overview: f"the oldest row for {age(overview.waited())}",
    ),
    Watch(
        "refused", 0, "rows that are refused or given up, but for acknowledgements", "Refused",
        _refused, _refused_words,
    ),
    Watch(
        "held", 0, "held rows that wait for a person", "Held",
        lambda overview: float(len(overview.held)),
        _held_words,
    ),
    Watch(
        "redis", 0, "1 while Redis does not answer", "Redis",
        lambda overview: float(overview.redis_error is not None),
        lambda overview: f"DOES NOT ANSWER ({overview.redis_error}); workers deliver without it",
    ),
    Watch(
        "messages", 600, "seconds that the oldest message to a person waits", "Messages",
        lambda overview: max(_messages(overview).values(), default=0.0),
        _message_words,
    ),
    Watch(
        "fields", 0, "unfit fields of the CRM, and sampled rows without a record, by the last daily look", "Fields",
        _fields,
        _fields_words,
    ),
    Watch(
        "losing", 0, "rows whose calls have lost five workers or more", "Losing",
        lambda overview: float(overview.losing),
        lambda overview: f"{overview.losing} rows have lost five workers or more",
    ),
)  # fmt: skip
