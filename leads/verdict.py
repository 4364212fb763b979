"""The verdict on the product: what is wrong, how far, and what to do.

`status`, Flower's page, the metrics and the alarms share it, so that none of them calls well what another one calls
broken. Amber may pass by itself; red does not, or has lasted for too long.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from leads.destinations import CRM, STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.durations import age, clock_and_zone
from leads.lifecycle import WAITING, Reason
from leads.outbox.pause import Destination
from leads.outbox.stopped import in_words
from leads.overview import Overview

MAX_NAMED = 8  # rows
FREE_BYTES = 256 * 2**20  # PostgreSQL stops when it has no room for the next 16 MB of its log
_JUST_NOW = 0.001  # seconds, more than none
_WHO = {
    CRM: "The CRM",
    VISITOR: "Mail to visitors",
    STAFF_MAIL: "Mail to staff",
    STAFF_WEBHOOK: "The webhook to staff",
}


@dataclass(frozen=True, slots=True)
class Sign:
    """What one look found: the figure, and what it means in words, where it is above a limit."""

    figure: float
    words: str
    destination: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)  # which it is about, as the filters of Flower's page


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing that can be wrong, and that a person can do something about."""

    name: str  # of the condition of `--fail-if`, the metric's label, and the runbook's section
    limit: float  # above which the verdict is red
    label: str
    unit: str  # what the figure counts
    look: Callable[[Overview], Iterator[Sign]]
    amber: float | None = None  # above which it is amber; None: there is no amber
    total: Callable[[list[float]], float] = max  # of several figures

    def figure(self, overview: Overview) -> float:
        """How far it is."""
        return self.total([0.0, *(sign.figure for sign in self.look(overview))])


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong now, in words; amber, unless `is_red`, may pass by itself."""

    name: str  # of the watch
    is_red: bool
    words: str
    destination: str
    rows: Mapping[str, str]


def find_troubles(overview: Overview) -> list[Trouble]:
    """Return what is wrong, the worst first; empty: all is well."""
    found = [
        Trouble(watch.name, sign.figure > watch.limit, watch.label + sign.words, sign.destination, sign.rows)
        for watch in WATCHES
        for sign in watch.look(overview)
        if sign.figure > (watch.limit if watch.amber is None else watch.amber)
    ]
    return sorted(found, key=lambda trouble: not trouble.is_red)


def _storage(overview: Overview) -> Iterator[Sign]:
    if error := overview.storage_error:
        yield Sign(1, f"NO ENQUIRY CAN BE STORED ({error})")


def _disk(overview: Overview) -> Iterator[Sign]:
    for folder, free in overview.free_bytes.items():
        yield Sign(free < FREE_BYTES, f"FULL: {free / 2**20:,.0f} MB free at {folder}")


def _workers(overview: Overview) -> Iterator[Sign]:
    seconds = overview.worker_age
    since = "yet" if seconds is None else f"for {age(seconds)}"
    figure = float("inf") if seconds is None else seconds
    yield Sign(figure, f"none has looked for due rows {since}: nothing is delivered")


def _needs_operator(overview: Overview, destination: Destination) -> bool:
    """Whether a pause does not end by itself. Credentials that were not refused wait for their next token."""
    if destination.reason is Reason.AUTH:
        return overview.refusal is not None
    return destination.reason in {Reason.PAUSED, Reason.CREDITS, Reason.CONFIGURATION}


def _paused(overview: Overview) -> Iterator[Sign]:
    """A pause that has just begun counts, and credentials that were refused, though calls flow."""
    for name, each in overview.destinations.items():
        if _needs_operator(overview, each):
            began, words = clock_and_zone(each.changed_at), f"{each.reason}, by {each.changed_by}"
            until = f"next trial {clock_and_zone(each.until_at)}" if each.until_at else "until an operator resumes"
            words = f"{_WHO.get(name, name)} is PAUSED ({words}) since {began}: {each.detail}; {until}"
            yield Sign(max(_JUST_NOW, overview.since(each.changed_at)), words, name, {"to": name})
    if overview.refusal is not None:
        code, seconds = overview.refusal
        words = f"The CRM REFUSED our credentials {age(seconds)} ago (auth: {code})"
        yield Sign(max(_JUST_NOW, seconds), words, CRM, {"to": CRM})


def _failing(overview: Overview) -> Iterator[Sign]:
    """The newest call was not answered. While nothing waits nobody is harmed."""
    for name, each in overview.destinations.items():
        answers, waiting = overview.answered(name), overview.count(*WAITING, destination=name)
        paused = (each.failing_since or each.changed_at) if each.reason else None
        began = answers.failing_since or paused
        if began is None or _needs_operator(overview, each):
            continue
        seconds, next_try = overview.since(began), overview.next_try(name)
        what = ("lead" if name == CRM else "message") + ("" if waiting == 1 else "s")
        words = f"{_WHO.get(name, name)} has failed for {age(seconds)}: {answers.failure or each.detail}"
        words += f", {waiting or 'no'} {what} wait{'s' if waiting == 1 else ''}"
        if next_try:
            is_soon = next_try <= overview.read_at
            words += f", next try {'within seconds' if is_soon else clock_and_zone(next_try)}"
        yield Sign(max(_JUST_NOW, seconds) if waiting else _JUST_NOW, words, name, {"to": name})


def _oldest(overview: Overview) -> Iterator[Sign]:
    for name in overview.destinations:
        seconds = overview.waited(name)
        yield Sign(seconds, f"the oldest row to {name} for {age(seconds)}", name, {"to": name})


def _refused(overview: Overview) -> Iterator[Sign]:
    for each in overview.refusals[:MAX_NAMED]:
        names = ", ".join(each.references) + (", …" if each.rows > len(each.references) else "")
        became = "GIVEN UP" if each.state == "dead" else "REFUSED"
        words = f"{each.rows} to {each.destination} {became} ({each.words}): {names}"
        yield Sign(
            each.rows, words, each.destination, {"to": each.destination, "state": each.state, "code": each.code}
        )


def _held(overview: Overview) -> Iterator[Sign]:
    rows = overview.held
    names = ", ".join(row.reference for row in rows[:MAX_NAMED]) + (", …" if len(rows) > MAX_NAMED else "")
    words = f"{len(rows)} WAIT FOR A PERSON and are not in the CRM ({in_words(rows)}): {names}"
    yield Sign(len(rows), words, CRM, {"to": CRM, "state": "held"})


def _redis(overview: Overview) -> Iterator[Sign]:
    if error := overview.redis_error:
        does = "REFUSES TO WRITE" if error.isupper() else "DOES NOT ANSWER"
        yield Sign(1, f"{does} ({error}); workers deliver without it")


def _fields(overview: Overview) -> Iterator[Sign]:
    missing, lost, late = overview.fields.missing, overview.fields.missing_records or 0, overview.erasures_late
    yield Sign(len(missing), f"MISSING or unfit: {', '.join(missing)}")
    yield Sign(lost, f"{lost} of a sample of the day's sent rows have no record")
    yield Sign(late, f"{late} erased for three days are STILL THERE")


def _losing(overview: Overview) -> Iterator[Sign]:
    words = f"{overview.losing} rows have lost five workers or more"
    yield Sign(overview.losing, words, CRM, {"state": "sending"})


# The worst first. The limits are those of `status --fail-if` without a figure.
WATCHES = (
    Watch("storage", 0, "Database: ", "1 while no enquiry can be stored", _storage),
    Watch("disk", 0, "Disk: ", "disks with data that have less than 256 MB free", _disk, total=sum),
    Watch("workers", 60, "Workers: ", "seconds since a worker looked for due rows", _workers),
    Watch("paused", 0, "", "seconds of a pause that needs a person, or since credentials were refused", _paused),
    Watch("failing", 60, "", "seconds that a destination has failed, while rows wait for it", _failing, amber=0),
    Watch("oldest", 600, "Waiting: ", "seconds that the oldest row waits", _oldest),
    Watch("refused", 0, "Refused: ", "rows refused or given up, but for acknowledgements", _refused, total=sum),
    Watch("held", 0, "Held: ", "held rows that wait for a person", _held),
    Watch("redis", 0, "Redis: ", "1 while Redis takes no task", _redis),
    Watch("fields", 0, "In the CRM: ", "unfit fields, rows without record, late erasures", _fields, total=sum),
    Watch("losing", 0, "Losing: ", "rows whose calls have lost five workers or more", _losing),
)
