"""The verdict on the product: what is wrong, how far, and which section of the runbook helps.

`status`, Flower's page and the metrics share it, so that none of them calls well what another one calls broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from leads.destinations import VISITOR
from leads.durations import age, clock
from leads.outbox.stopped import in_words
from leads.overview import Overview

MAX_NAMED = 8  # rows, or kinds of failures on pages


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing that can be wrong.

    name: of the condition of `--fail-if`, and the metric's label. limit: the figure above which it is wrong. unit:
    what the figure counts. section: of docs/runbook.md. label, words: how it is told. is_red: whether the product
    or a person is in trouble.
    """

    name: str
    limit: float
    unit: str
    section: str
    label: str
    figure: Callable[[Overview], float]
    words: Callable[[Overview], str]
    is_red: bool = True

    @property
    def anchor(self) -> str:
        """The section's anchor."""
        return anchor(self.section)


class Trouble(NamedTuple):
    """What is wrong now, in words."""

    watch: Watch
    words: str


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as Markdown's viewers make it: the-queue-grows."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def find_troubles(overview: Overview) -> list[Trouble]:
    """Return what is wrong, the worst first; empty: all is well."""
    return [Trouble(watch, watch.words(overview)) for watch in WATCHES if watch.figure(overview) > watch.limit]


def _shut(overview: Overview) -> float:
    return 0.0 if overview.gate.is_open else max(0.001, overview.since(overview.gate.changed_at))


def _shut_words(overview: Overview) -> str:
    gate = overview.gate
    until = f"next probe {clock(gate.until_at)} UTC" if gate.until_at else "until an operator resumes"
    return f"SHUT ({gate.reason}, by {gate.changed_by}) since {clock(gate.changed_at)} UTC: {gate.detail}; {until}"


def _failing(overview: Overview) -> float:
    health = overview.health
    return overview.since(health.failing_since) if health.oldest_waiting_at else 0.0


def _tick_words(overview: Overview) -> str:
    tick = overview.gate.tick_age
    return f"no worker has ticked {'yet' if tick is None else f'for {age(tick)}'}: nothing is delivered"


def _refusal_words(overview: Overview) -> str:
    code, seconds = overview.refusal or ("", 0.0)
    return f"REFUSED {age(seconds)} ago ({code}); `check` says what to do"


def _real_words(overview: Overview) -> str:
    rows = overview.held_real
    return (
        f"{len(rows)} LOOK REAL and are not in the CRM ({in_words(rows)}):"
        f" {_some([row.reference for row in rows])}; see `release`"
    )


def _dead(overview: Overview) -> dict[str, int]:
    counts = {name: overview.count("dead", destination=name) for name in overview.healths if name != VISITOR}
    return {name: rows for name, rows in counts.items() if rows}


def _dead_words(overview: Overview) -> str:
    counts = ", ".join(f"{rows} to {name}" for name, rows in _dead(overview).items())
    return f"rows are given up ({counts}); `dead` says why, `redrive` sends them again"


def _oldest(overview: Overview) -> float:
    return max(map(overview.waited, overview.records))


def _messages(overview: Overview) -> dict[str, float]:
    return {name: overview.waited(name) for name in overview.messages}


def _message_words(overview: Overview) -> str:
    name, seconds = max(_messages(overview).items(), key=lambda item: item[1])
    return f"one to {name} has waited for {age(seconds)}; see `waiting --destination {name}`"


def _some(names: list[str]) -> str:
    return ", ".join(names[:MAX_NAMED]) + (", …" if len(names) > MAX_NAMED else "")


# The worst first. The limits are those of `status --fail-if` without a figure.
WATCHES = (
    Watch(
        "storage", 0, "1 while no enquiry can be stored", "PostgreSQL is gone or full", "Database",
        lambda overview: float(overview.storage_error is not None),
        lambda overview: f"NO ENQUIRY CAN BE STORED ({overview.storage_error})",
    ),
    Watch(
        "tick", 60, "seconds since a worker ticked", "No worker ticks", "Last tick",
        lambda overview: float("inf") if overview.gate.tick_age is None else overview.gate.tick_age,
        _tick_words,
    ),
    Watch("shut", 0, "seconds that the gate has been shut", "The queue grows", "Gate", _shut, _shut_words),
    Watch(
        "token", 0, "1 while the CRM refuses our credentials", "The token is refused", "Token",
        lambda overview: float(overview.refusal is not None),
        _refusal_words,
    ),
    Watch(
        "failing", 300, "seconds since the CRM last took anything, while something waits",
        "The queue grows", "CRM",
        _failing,
        lambda overview: f"has taken nothing for {age(_failing(overview))}, while something waits",
    ),
    Watch(
        "oldest", 600, "seconds that the oldest row waits", "The queue grows", "Waiting",
        _oldest,
        lambda overview: f"the oldest row for {age(_oldest(overview))}; `waiting` lists them",
    ),
    Watch(
        "dead", 0, "dead rows, but for acknowledgements", "Rows are dead", "Dead",
        lambda overview: float(sum(_dead(overview).values())),
        _dead_words,
    ),
    Watch(
        "real", 0, "held rows of the last day that look real", "A wave of spam", "Held",
        lambda overview: float(len(overview.held_real)),
        _real_words,
    ),
    Watch(
        "redis", 0, "1 while Redis does not answer", "Redis is gone", "Redis",
        lambda overview: float(overview.redis_error is not None),
        lambda overview: f"DOES NOT ANSWER ({overview.redis_error}); ticks deliver",
    ),
    Watch(
        "messages", 600, "seconds that the oldest message to a person waits", "Staff are not told", "Messages",
        lambda overview: max(_messages(overview).values(), default=0.0),
        _message_words,
    ),
    Watch(
        "fields", 0, "fields that are missing in the CRM or do not fit, by the last check",
        "A field is missing", "Fields",
        lambda overview: float(len(overview.fields.missing)),
        lambda overview: (
            f"MISSING or unfit in the CRM: {', '.join(overview.fields.missing)}; `check` says what is lost"
        ),
    ),
    Watch(
        "records", 0, "sent rows of a day's sample that have no record in the CRM",
        "Records are missing", "Records",
        lambda overview: float(overview.fields.missing_records or 0),
        lambda overview: (
            f"{overview.fields.missing_records} of a sample of the day's sent rows have no record in the CRM;"
            " `reconcile` names them"
        ),
    ),
    Watch(
        "losing", 0, "rows whose calls have lost five workers or more", "Rows lose their workers", "Losing",
        lambda overview: float(overview.losing),
        lambda overview: f"{overview.losing} rows have lost five workers or more; see `waiting --code WORKER_LOST`",
    ),
    Watch(
        "circling", 0, "rows that came back twenty times within an hour without a try",
        "Rows go round", "Circling",
        lambda overview: float(overview.circling),
        lambda overview: (
            f"{overview.circling} rows came back twenty times within an hour without a try;"
            " `show` says with which code"
        ),
    ),
    Watch(
        "refused", 0, "acknowledgements that were given up within a day",
        "An acknowledgement is refused", "Refused",
        lambda overview: float(overview.refused_today),
        lambda overview: (
            f"{overview.refused_today} acknowledgements were refused within a day; `dead --destination visitor`"
        ),
        is_red=False,
    ),
    Watch(
        "skipped", 0, "messages that a limit skipped within a day", "Messages are skipped", "Skipped",
        lambda overview: float(overview.skipped_today),
        lambda overview: (
            f"{overview.skipped_today} messages were skipped by a limit within a day; `waiting --state skipped`"
        ),
        is_red=False,
    ),
)  # fmt: skip
# Spam is always held, so it is no trouble by itself; cron may ask.
HELD = Watch(
    "held", 0, "held rows", "A wave of spam", "Held", lambda overview: float(overview.count("held")),
    lambda overview: f"{overview.count('held')} rows",
)  # fmt: skip
