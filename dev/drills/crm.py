"""Properties 18, 19, 21, 23 and 25: lost replies, Retry-After, spent credits, a dripping body, the same person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from dev.drills.drill import drill, require

if TYPE_CHECKING:
    from dev.drills.environment import Stage

LOSSES = ("commit_then_drop", "commit_then_cut", "commit_then_error", "hang")
# Whoever had passed the gate when the 429 came back may still be on the way to the CRM for so long.
ON_THE_WAY = timedelta(seconds=0.5)


@drill("18", "Reply lost after commit, single and batch of 100: no duplicates")
def lost_replies(stage: Stage) -> None:
    """Every way of losing a reply, for one row and for a hundred; each call's rows were stored before."""
    stage.ready_worker()
    for loss in LOSSES:
        for size in (1, 100):
            extra = {"commit": True} if loss == "hang" else {}
            stage.sandbox.faults(**{loss: {"count": 1, "path": "upsert", **extra}})
            ids = stage.store(size)
            stage.wait(lambda ids=ids: _tried(stage, ids) == len(ids), 60, f"{loss} to strike {size} rows")  # type: ignore[misc]
            stage.hurry()
            stage.wait_delivered(60)
    totals = stage.sandbox.summary()
    require(
        totals["inserts"] == len(stage.accepted), f"{totals['inserts']} inserts for {len(stage.accepted)} leads"
    )
    require(totals["updates"] >= len(stage.accepted), "the rows were not sent twice: nothing was lost")
    stage.say(f"{', '.join(LOSSES)}, each for 1 row and for 100: {totals['updates']} rows sent again")


def _tried(stage: Stage, ids: list[str]) -> int:
    found = stage.rows("SELECT count(*) AS n FROM leads WHERE retry_count > 0 AND id = ANY(%s::uuid[])", ids)
    return int(found[0]["n"])


@drill("19", "429 with Retry-After as seconds, as date, absent, absurd, malformed", short=False)
def retry_after(stage: Stage) -> None:
    """Two workers under load; after each 429 nothing may reach the CRM before the moment that it named."""
    stage.fleet(2)
    wait = 3 if stage.short else 20
    shapes: list[tuple[str, Any, float]] = [
        ("seconds", str(wait), wait),
        ("date", wait, 0.0),  # here the moment counts that it names, however late the 429 comes
        ("absent", None, 5.0),
        ("malformed", "soon", 5.0),
        ("in the past", format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True), 5.0),
    ]
    for name, value, least in shapes[:2] if stage.short else shapes:
        moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=wait)
        text = format_datetime(moment, usegmt=True) if name == "date" else value
        stage.sandbox.faults(too_many_requests={"count": 1, "path": "upsert", "retry_after": text})
        waited = _wait_kept(stage, name, least, moment if name == "date" else None)
        stage.figure(name, waited, "s")
    _absurd(stage)
    stage.wait_delivered(60)
    count = 2 if stage.short else len(shapes)
    stage.say(f"a 429 of {count} shapes under load, two workers; and an absurd one: a year, cut to a day")


def _wait_kept(stage: Stage, name: str, least: float, moment: datetime | None) -> float:
    """Seconds from the 429 to the next call that was not on its way; fails where too few, or before `moment`."""
    since = len(stage.sandbox.calls(kind="api"))
    for _ in range(3):
        stage.store(40)
    stage.wait(lambda: _after(stage, since)[0] is not None, 90, f"a 429 ({name})")
    stage.pause(ON_THE_WAY.total_seconds())
    stage.store(40)  # whoever was on the way may have taken all the others along
    stage.wait(lambda: _after(stage, since)[1] is not None, 90, f"a call after the 429 ({name})", every=0.1)
    struck, following = _after(stage, since)
    require(struck is not None and following is not None, f"{name}: no 429")
    seconds = (_at(following) - _at(struck)).total_seconds()
    require(seconds >= least, f"{name}: the next call came after {seconds:.2f} s, not {least:g} s")
    require(moment is None or _at(following) >= moment, f"{name}: the next call came before {moment}")
    stage.wait_delivered(90)
    return seconds


def _after(stage: Stage, since: int) -> tuple[Any, Any]:
    """The 429 and the first call after it that had not passed the gate before."""
    calls = stage.sandbox.calls(kind="api", offset=since)
    struck = next((call for call in calls if call["status"] == 429), None)
    if struck is None:
        return None, None
    later = (call for call in calls if call["id"] > struck["id"] and _at(call) > _at(struck) + ON_THE_WAY)
    return struck, next(later, None)


def _at(call: Any) -> datetime:
    return datetime.fromisoformat(call["at"])


def _absurd(stage: Stage) -> None:
    """A year: taken for a mistake and cut to a day, so that no typing error parks the leads for good."""
    stage.sandbox.faults(too_many_requests={"count": 1, "path": "upsert", "retry_after": str(365 * 86_400)})
    stage.store(10)
    day = "SELECT extract(epoch FROM until_at - now())::float8 AS left FROM crm_gate WHERE state = 'shut'"
    stage.wait(lambda: bool(stage.rows(day)), 30, "the gate to shut")
    left = stage.rows(day)[0]["left"]
    require(86_000 < left <= 95_100, f"the gate waits for {left:.0f} s")
    stage.pause(3)
    stage.change("UPDATE crm_gate SET until_at = now()")


@drill("21", "Credits spent: parks, and resumes by itself")
def credits_spent(stage: Stage) -> None:
    """The allowance ends in mid-drain; a probe each 15 minutes (time moved on) finds when it is back."""
    stage.sandbox.only_faults(limits={"credits_remaining": 30})
    stage.ready_worker()
    stage.store(1000)
    shut = "SELECT reason, until_at - now() AS wait FROM crm_gate WHERE state = 'shut'"
    stage.wait(lambda: bool(stage.rows(shut)), 60, "the gate to shut")
    (gate,) = stage.rows(shut)
    require(gate["reason"] == "credits", f"the gate shut for {gate['reason']}")
    require(gate["wait"] > timedelta(minutes=14), f"the next probe is in {gate['wait']}")
    tried = stage.count("retry_count > 0")
    require(tried == 0, f"{tried} rows spent a try on it")
    stage.pause(2)
    calls = stage.sandbox.summary()["api_calls"]
    for _ in range(3):
        stage.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
        stage.pause(3 * stage.settings.crm_tick_seconds)
    probes = stage.sandbox.summary()["api_calls"] - calls
    require(probes == 3, f"{probes} probes in three quarters of an hour")
    stage.sandbox.only_faults()
    stage.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
    stage.wait_delivered(120)
    stage.say(
        "1,000 leads, credits for 300, three probes in vain (45 minutes, time moved on), then resumed by itself"
    )


@drill("23", "A body that drips one byte per 5 s: the wall clock of the call fires")
def drip(stage: Stage) -> None:
    """The CRM has stored the rows; the reply would take hours."""
    stage.ready_worker()
    stage.sandbox.faults(drip={"count": 1, "path": "upsert", "seconds": 5.0 if not stage.short else 0.5})
    ids = stage.store(20)
    stage.wait(lambda: _tried(stage, ids) == len(ids), 90, "the call to end")
    (took,) = stage.rows(
        "SELECT extract(epoch FROM max(at) - min(at))::float8 AS s FROM crm_attempts"
        " WHERE code = 'TIMEOUT' OR event = 'claimed'"
    )
    limit = stage.settings.crm_call_seconds
    stage.figure("the call ended after", took["s"], "s")
    require(
        limit - 0.5 <= took["s"] <= limit + 1.5, f"the call ended after {took['s']:.1f} s, the limit is {limit:g} s"
    )
    stage.hurry()
    stage.wait_delivered(60)
    stage.say(f"20 rows, a reply of one byte every 5 s, cut at {limit:g} s, delivered afterwards")


@drill("25", "Same person twice: two enquiries are kept, never one overwritten")
def same_person(stage: Stage) -> None:
    """The same name, address and number, in one batch and later; each enquiry is a record with its own message."""
    stage.ready_worker()
    people = stage.people(50)
    for _ in range(2):
        stage.store([*people, *people])
        stage.wait_delivered(60)
    totals = stage.sandbox.summary()
    require(totals["records"] == 200, f"{totals['records']} records for 200 enquiries")
    require(totals["updates"] == 0, f"{totals['updates']} records were overwritten")
    stage.say("50 people, four enquiries each: 200 records, none changed")
