"""Properties 19, 21 to 25, 37, 38, 41 and 45: failures of calls, rows and tokens, and the CRM's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from proofs.drills.broker import pick_ups
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.person import Person

# A call that had passed the gate before the 429 arrived may reach the CRM up to this much later.
ON_THE_WAY = timedelta(seconds=0.5)


@drill("19", "429 with Retry-After as seconds, as date, absent, absurd, malformed", short=False)
def retry_after(env: DrillEnvironment) -> None:
    """Two workers under load; after a 429 no call may reach the CRM before the time that it named."""
    env.sandbox.faults(latency={"ms": 100})
    env.fleet(2, CRM_BATCH_ROWS="10")
    wait = 3 if env.short else 20
    shapes: list[tuple[str, Any, float]] = [
        ("seconds", str(wait), wait),
        ("date", wait, 0.0),  # the named time counts, however late the 429 arrives
        ("absent", None, 5.0),
        ("malformed", "soon", 5.0),
        ("in the past", format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True), 5.0),
    ]
    for name, value, least in shapes[:2] if env.short else shapes:
        moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=wait)
        text = format_datetime(moment, usegmt=True) if name == "date" else value
        env.sandbox.faults(too_many_requests={"count": 1, "path": "upsert", "retry_after": text})
        waited = _wait_kept(env, name, least, moment if name == "date" else None)
        env.figure(name, waited, "s")
    _absurd(env)
    env.wait_delivered(60)
    count = 2 if env.short else len(shapes)
    env.note(f"a 429 of {count} shapes under load, two workers; and an absurd one: a year, cut to a day")


def _wait_kept(env: DrillEnvironment, name: str, least: float, moment: datetime | None) -> float:
    """Seconds from the 429 to the next call not yet on its way; fails below `least`, or before `moment`."""
    since = len(env.sandbox.calls(kind="api"))
    for _ in range(3):
        env.store(40)
    env.wait(lambda: _after(env, since)[0] is not None, 90, f"a 429 ({name})")
    env.pause(ON_THE_WAY.total_seconds())
    env.store(40)  # calls already on their way may have taken all the others
    env.wait(lambda: _after(env, since)[1] is not None, 90, f"a call after the 429 ({name})", every=0.1)
    struck, following = _after(env, since)
    require(struck is not None and following is not None, f"{name}: no 429")
    seconds = (_at(following) - _at(struck)).total_seconds()
    require(seconds >= least, f"{name}: the next call came after {seconds:.2f} s, not {least:g} s")
    require(moment is None or _at(following) >= moment, f"{name}: the next call came before {moment}")
    env.wait_delivered(90)
    return seconds


def _after(env: DrillEnvironment, since: int) -> tuple[Any, Any]:
    """The 429 and the first call after it that had not passed the gate before."""
    calls = env.sandbox.calls(kind="api", offset=since)
    struck = next((call for call in calls if call["status"] == 429), None)
    if struck is None:
        return None, None
    later = (call for call in calls if call["id"] > struck["id"] and _at(call) > _at(struck) + ON_THE_WAY)
    return struck, next(later, None)


def _at(call: Any) -> datetime:
    return datetime.fromisoformat(call["at"])


def _absurd(env: DrillEnvironment) -> None:
    """A year is taken for a mistake and limited to a day, so that an error there does not park leads for good."""
    env.sandbox.faults(too_many_requests={"count": 1, "path": "upsert", "retry_after": str(365 * 86_400)})
    env.store(10)
    day = "SELECT extract(epoch FROM until_at - now())::float8 AS left FROM crm_gate WHERE state = 'shut'"
    env.wait(lambda: bool(env.rows(day)), 30, "the gate to shut")
    left = env.rows(day)[0]["left"]
    require(86_000 < left <= 95_100, f"the gate waits for {left:.0f} s")
    env.pause(3)
    env.change("UPDATE crm_gate SET until_at = now()")


@drill("21", "Credits spent: delivery pauses, and resumes by itself")
def credits_spent(env: DrillEnvironment) -> None:
    """The allowance runs out during a drain; a probe every 15 minutes (simulated) finds when it is back."""
    env.sandbox.only_faults(limits={"credits_remaining": 30})
    env.ready_worker()
    env.store(1000)
    shut = "SELECT reason, until_at - now() AS wait FROM crm_gate WHERE state = 'shut'"
    env.wait(lambda: bool(env.rows(shut)), 60, "the gate to shut")
    (gate,) = env.rows(shut)
    require(gate["reason"] == "credits", f"the gate shut for {gate['reason']}")
    require(gate["wait"] > timedelta(minutes=14), f"the next probe is in {gate['wait']}")
    tried = env.count("retry_count > 0")
    require(tried == 0, f"{tried} rows were charged a try")
    env.pause(2)
    calls = env.sandbox.summary()["api_calls"]
    for _ in range(3):
        env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
        env.pause(3 * env.settings.crm_tick_seconds)
    probes = env.sandbox.summary()["api_calls"] - calls
    require(probes == 3, f"{probes} probes in three quarters of an hour")
    env.sandbox.only_faults()
    env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
    env.wait_delivered(120)
    env.note("1,000 leads, credits for 300, three failed probes (45 simulated minutes), then resumed by itself")


@drill(
    "22", "One poison record in 100, any pattern of partial success: the rest goes in the same drain", short=False
)
def poison(env: DrillEnvironment) -> None:
    """First one row in a hundred, then random subsets: refused for good, locked, or with an unknown code."""
    env.ready_worker(CRM_TICK_SECONDS="0.4")
    env.sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    patterns = 8 if env.short else 60
    for number in range(patterns):
        refused = 1 if number == 0 else env.random.randrange(101)
        _batch(env, refused)
    dead = env.count("zoho_status = 'dead'")
    require(dead == len(env.excused), f"{dead} rows are dead, {len(env.excused)} were refused")
    calls = env.sandbox.summary()["api_calls"]
    env.note(f"{patterns} batches of 100 with 0 to 100 refused rows each: {dead:,} refused, {calls} calls")
    _mixed(env, patterns)


def _batch(env: DrillEnvironment, refused: int) -> None:
    people = [*env.people(refused, "Poison"), *env.people(100 - refused)]
    env.random.shuffle(people)
    ids = env.store(people)
    env.excused |= {
        event: "the CRM refused it" for event, person in zip(ids, people, strict=True) if person.word == "Poison"
    }
    env.wait_all(f"NOT {outbox.OWED}", ids, 30, "a batch to be settled in one drain")


def _mixed(env: DrillEnvironment, batches: int) -> None:
    """Rows fail at random and are tried again; the rows marked as sent are those that the CRM stored."""
    env.sandbox.only_faults()
    for _ in range(batches):
        share = env.random.random()
        env.sandbox.faults(record_locked={"probability": share / 2}, row_error={"probability": share / 2})
        since = len(env.sandbox.calls(kind="api"))
        ids = env.store(100)
        env.wait_all("zoho_status IN ('sent', 'retrying')", ids, 30, "a batch to be tried")
        stored = {
            result["event_id"]: result["action"] is not None
            for call in env.sandbox.calls(kind="api", offset=since)
            for result in call["row_results"]
        }
        sent = env.look("id::text", "zoho_status = 'sent' AND id = ANY(%s::uuid[])", ids)
        require(
            {row["id"] for row in sent} == {event for event in ids if stored[event]}, "sent rows differ from stored"
        )
        env.sandbox.only_faults()
        env.make_due()
        env.wait_delivered(60)
    env.note(f"{batches} more batches, rows failing at random with two codes, tried again until delivered")


@drill("23", "A body that drips one byte per 5 s: the call's time limit holds")
def drip(env: DrillEnvironment) -> None:
    """The CRM has stored the rows, but its replies to four calls side by side would take hours."""
    env.ready_worker(CRM_BATCH_ROWS="5")
    env.sandbox.faults(drip={"count": 4, "path": "upsert", "seconds": 5.0 if not env.short else 0.5})
    ids = env.store(20)
    env.wait_all("retry_count > 0", ids, 90, "the call to end")
    found = env.rows(
        "SELECT extract(epoch FROM max(at) - min(at))::float8 AS s FROM crm_attempts"
        " WHERE code = 'TIMEOUT' OR event = 'claimed' GROUP BY call_id ORDER BY s"
    )
    took, limit = [row["s"] for row in found], env.settings.crm_call_seconds
    env.figure("the slowest call ended after", took[-1], "s")
    odd = [seconds for seconds in took if not limit - 0.5 <= seconds <= limit + 1.5]
    require(not odd, f"{len(odd)} of {len(took)} calls did not end after {limit:g} s, {took[-1]:.1f} s at most")
    env.make_due()
    env.wait_delivered(60)
    env.note(f"20 rows, replies of one byte every 5 s, cut at {limit:g} s, delivered afterwards")


@drill("24", "Token expiry under 8 threads in each of 2 processes: one refresh", short=False)
def expiry(env: DrillEnvironment) -> None:
    """Every thread is in a call when all tokens expire; the token table lets one of them mint."""
    env.sandbox.faults(latency={"ms": 100})
    env.fleet(2, CRM_CONCURRENCY="8", CRM_BATCH_ROWS="5", DATABASE_POOL="20")
    rounds = 2 if env.short else 5
    env.store(200)
    env.wait_delivered(60)
    for number in range(rounds):
        # The spacing of mints (90 s) has passed.
        env.change("UPDATE crm_token SET next_mint_at = now()")
        env.store(600)
        env.wait(lambda: env.sandbox.summary()["in_flight"] >= 6, 30, "six calls in flight", every=0.01)
        minted = len(env.sandbox.summary()["tokens_minted"])
        env.sandbox.faults(expire_tokens=True)
        env.wait_delivered(60)
        new = len(env.sandbox.summary()["tokens_minted"]) - minted
        require(new == 1, f"round {number + 1}: {new} tokens were minted")
    charged = env.look("sum(retry_count) AS n")[0]["n"]
    require(charged == 0, f"{charged} tries were spent on expired tokens")
    refused = len(env.sandbox.calls(kind="api", code="INVALID_TOKEN"))
    env.note(f"{rounds} expiries under 16 threads: {refused} calls refused, one mint each, no try spent")


@drill("25", "Same person twice: two enquiries are kept, never one overwritten")
def same_person(env: DrillEnvironment) -> None:
    """The same name, address and number, in one batch and later; each enquiry is a record with its own message."""
    env.sandbox.faults(latency={"ms": 100})
    env.ready_worker(CRM_BATCH_ROWS="10")
    people = env.people(50)
    for _ in range(2):
        env.store([*people, *people])
        env.wait_delivered(60)
    totals = env.sandbox.summary()
    require(totals["records"] == 200, f"{totals['records']} records for 200 enquiries")
    require(totals["updates"] == 0, f"{totals['updates']} records were overwritten")
    env.note("50 people, four enquiries each: 200 records, none changed")


@drill("37", "Credits low or gone, and back: retries and requeued rows flow again within a tick")
def credits_back(env: DrillEnvironment) -> None:
    """Zoho names the credits only when half of them are used: an answer that says nothing means plenty."""
    env.ready_worker()
    for name, left in (("low", 150), ("gone", 3)):
        env.sandbox.only_faults(limits={"credits_remaining": left})
        known = "SELECT 1 FROM crm_gate WHERE credits_left IS NOT NULL OR reason = 'credits'"
        env.store(10)
        env.wait(lambda known=known: bool(env.rows(known)), 30, f"the credits to be known as {name}")  # type: ignore[misc]
        waiting = _held_back(env)
        env.pause(3 * env.settings.crm_tick_seconds)
        require(not env.records_of(waiting), f"retries were sent with credits {name}")
        env.sandbox.only_faults()
        since = len(env.sandbox.calls(kind="api"))
        env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
        env.store(1)
        env.wait_in_crm(waiting, 120, f"retries and requeued rows after credits were {name}")
        calls = env.sandbox.calls(kind="api", offset=since)
        sent = [_at(call) for call in calls if {result["event_id"] for result in call["row_results"]} & {*waiting}]
        seconds = (max(sent) - _at(calls[0])).total_seconds()
        env.figure(f"credits {name}: retries sent after the first answer", seconds, "s")
        env.within(seconds, env.settings.crm_tick_seconds + 1, f"credits {name}: the waiting rows were sent")
    env.wait_delivered(60)
    env.note("credits low, then gone, then back: 20 retries and 20 requeued rows each time")


def _held_back(env: DrillEnvironment) -> list[str]:
    """Store retries and requeued rows, all due; returns their event ids."""
    retries, requeued = env.store(20, "dead"), env.store(20, "dead")
    due = "queued_at = now(), requeued = true, next_retry_at = now(), last_retry_at = now() - interval '1 min'"
    env.arrange(f"zoho_status = 'retrying', retry_count = 2, {due}", "id = ANY(%s::uuid[])", retries)
    env.arrange(f"zoho_status = 'pending', retry_count = 0, {due}", "id = ANY(%s::uuid[])", requeued)
    return [*retries, *requeued]


@drill("38", "E-mail and phone unique in the CRM, contacts checked too: every repeat enquiry arrives by itself")
def unique_fields(env: DrillEnvironment) -> None:
    """What the CRM keeps unique stays with the first record; a repeat has it in Description."""
    env.sandbox.faults(latency={"ms": 50})
    env.ready_worker(CRM_BATCH_ROWS="5" if env.short else "10")
    people = env.people(20)
    env.store(people)
    env.wait_delivered(60)
    rules: tuple[tuple[dict[str, bool], tuple[str, ...]], ...] = (
        ({"email_unique": True}, ("Email",)),
        ({"email_unique": True, "duplicate_check_preference": True}, ("Email",)),
        ({"phone_unique": True, "phone_lookup": False}, ("Phone",)),
        ({"email_unique": True, "phone_unique": True, "phone_lookup": False}, ("Email", "Phone")),
        ({"phone_unique": True}, ("Phone",)),
        ({"email_unique": True, "phone_unique": True}, ("Email", "Phone")),
    )
    for limits, fields in rules:
        env.sandbox.faults(limits={"email_unique": False, "phone_unique": False, "phone_lookup": True, **limits})
        if "duplicate_check_preference" in limits:
            for record in env.sandbox.records()[:10]:
                env.sandbox.convert(record["id"])
        _repeat(env, people, fields)
    _in_one_batch(env)
    matched = env.rows("SELECT count(*) AS n FROM crm_attempts WHERE detail LIKE 'matched on Phone%'")[0]["n"]
    require(matched > 0, "no record was overwritten: the CRM did not look up the numbers")
    env.note(
        f"{len(people)} people enquire again under {len(rules)} rules, 10 of them contacts; pairs in one batch;"
        f" {matched} records were overwritten by number, and given back"
    )


def _repeat(env: DrillEnvironment, people: Sequence[Person], fields: Sequence[str]) -> None:
    """Store an enquiry of each person again: a new record without these fields, and their values in Description."""
    ids = env.store(people)
    moved = {event: {name: env.accepted[event].pop(name) for name in fields} for event in ids}
    _settle(env, ids)
    records = {record["Website_Event_ID"]: record for record in env.sandbox.records()}
    missing = [event for event in ids if event not in records]
    require(not missing, f"{len(missing)} of {len(ids)} repeats are not in the CRM ({', '.join(fields)} unique)")
    for event, values in moved.items():
        for name, value in values.items():
            require(name not in records[event], f"{name} is on two records")
            require(value in records[event]["Description"], f"a repeat's {name} is lost")


def _settle(env: DrillEnvironment, ids: Sequence[str]) -> None:
    """Wait until the repeats are settled, then for the enquiries whose records they had overwritten."""

    def are_settled() -> bool:
        env.forward("next_retry_at = now()", f"{outbox.WAITING} AND id = ANY(%s::uuid[])", ids)
        return env.count(f"NOT {outbox.OWED}", ids) == len(ids)

    env.wait(are_settled, 60, "the repeats to be settled", every=1)
    env.make_due()
    env.wait_delivered(60)


def _in_one_batch(env: DrillEnvironment) -> None:
    """Two enquiries of a person in one batch: one of them has the address and the number, the other names them."""
    pairs = env.people(5)
    ids = env.store([*pairs, *pairs])
    moved = [env.accepted[event].pop(name) for event in ids for name in ("Email", "Phone")]
    _settle(env, ids)
    ours = [record for record in env.sandbox.records() if record["Website_Event_ID"] in ids]
    kept = [record[name] for record in ours for name in ("Email", "Phone") if name in record]
    require(sorted(kept) == sorted(set(moved)), "an address or a number is not on exactly one record")


@drill(
    "41",
    "A row that makes every call with it fail: found by halving, the others arrive, the gate stays open",
    short=False,
)
def fatal_rows(env: DrillEnvironment) -> None:
    """Two of 200 rows turn every call with them into a 500; new leads arrive; then the CRM is repaired."""
    people = [*env.people(198), *env.people(2, "Fatal")]
    env.random.shuffle(people)
    env.sandbox.faults(fatal_row={"marker": "Fatal"}, latency={"ms": 50})
    ids = env.store(people)
    fatal = {event for event, person in zip(ids, people, strict=True) if person.word}
    others = [event for event in ids if event not in fatal]
    env.fleet(2)
    fresh: list[str] = []

    def have_arrived() -> bool:
        fresh.extend(env.store(1))
        return len(env.records_of(others)) == len(others)

    took = env.wait(have_arrived, 60, "the other rows", every=0.5)
    env.figure("the others arrived after", took, "s")
    env.within(took, 20, "the others arrived")
    env.wait_in_crm(fresh, 10, "the new leads")
    env.figure("slowest new lead", pick_ups(env, only=fresh)[-1], "s")
    hurt = env.count("retry_count > 0", fresh)
    require(hurt == 0, f"{hurt} new leads failed because of others")
    require(not env.rows("SELECT 1 FROM drill_log WHERE what = 'gate shut'"), "the gate was shut")
    env.sandbox.only_faults()
    env.make_due()
    env.wait_delivered(60)
    env.note(f"2 fatal rows among 200, {len(fresh)} new leads meanwhile")


@drill("45", "A field becomes mandatory in the CRM: the gate shuts with its name, nobody stays buried")
def mandatory_field(env: DrillEnvironment) -> None:
    """Two workers and single leads, then a batch; the rule is taken back after three failed probes."""
    env.sandbox.faults(latency={"ms": 50}, mandatory_field={"field": "Company"})
    env.fleet(2, CRM_BATCH_ROWS="10")
    shut = "SELECT reason, detail FROM crm_gate WHERE state = 'shut'"

    def is_shut() -> bool:
        env.store(1)
        return bool(env.rows(shut))

    env.wait(is_shut, 60, "the gate to shut", every=0.3)
    (gate,) = env.rows(shut)
    require(gate == {"reason": "configuration", "detail": "MANDATORY_NOT_FOUND: Company"}, f"the gate says {gate}")
    env.store(200)
    for _ in range(3):
        env.change("UPDATE crm_gate SET until_at = now()")
        env.pause(2 * env.settings.crm_tick_seconds)
    dead = env.count("zoho_status = 'dead'")
    require(dead == 0, f"{dead} leads are dead")
    charged = env.count("retry_count > 0")
    require(charged == 0, f"{charged} leads were charged a try")
    env.sandbox.only_faults()
    env.change("UPDATE crm_gate SET until_at = now()")
    env.wait_delivered(60)
    refused = len(env.rows("SELECT DISTINCT row_id FROM crm_attempts WHERE event = 'rejected'"))
    env.note(f"{len(env.accepted)} leads, {refused} of them refused before the gate shut, three probes in vain")
