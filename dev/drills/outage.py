"""Property 20: a long outage, the drain after it, a new lead in the middle of it; everything failing at once."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dev.drills.broker import percentile, pick_ups
from dev.drills.drill import drill, require

if TYPE_CHECKING:
    from dev.drills.environment import Stage

HOUR = 3600.0
PROBE_SECONDS = 30.0
SHIFT_WAITS = """
UPDATE leads SET next_retry_at = next_retry_at - make_interval(secs => %(s)s)
WHERE zoho_status IN ('pending', 'retrying') AND next_retry_at > now()
"""
SHIFT_AGES = """
UPDATE leads SET queued_at = queued_at - make_interval(secs => %(s)s),
    created_at = created_at - make_interval(secs => %(s)s),
    last_retry_at = last_retry_at - make_interval(secs => %(s)s)
WHERE zoho_status IN ('pending', 'retrying')
"""
SHIFT_GATE = """
UPDATE crm_gate SET until_at = until_at - make_interval(secs => %(s)s),
    changed_at = changed_at - make_interval(secs => %(s)s),
    failing_since = failing_since - make_interval(secs => %(s)s)
"""
SHIFT_MINTS = """
UPDATE crm_token SET expires_at = expires_at - make_interval(secs => %(s)s),
    next_mint_at = next_mint_at - make_interval(secs => %(s)s)
"""


def shift(stage: Stage, seconds: float) -> None:
    """Move everything that waits `seconds` into the past, which is what that much time would do."""
    with stage.connect() as connection:
        for statement in (SHIFT_WAITS, SHIFT_GATE, SHIFT_MINTS):
            connection.execute(statement, {"s": seconds})
    stage.forwarded.append(datetime.now(UTC))


def grow_old(stage: Stage, seconds: float) -> None:
    """Let every waiting row be older by `seconds`; ten thousand rows are too many to touch in every step."""
    with stage.connect() as connection:
        connection.execute(SHIFT_AGES, {"s": seconds})


@drill("20", "A 12-hour outage: no row exhausted, one probe per 30 s, a full drain afterwards", longest=1500)
def outage(stage: Stage) -> None:
    """Leads keep arriving; time passes in steps of 30 s (long) or an hour (short), twelve hours of them."""
    leads, step, hours = (400, HOUR, 12) if stage.short else (10_000, PROBE_SECONDS, 12)
    stage.fleet(2, CRM_TICK_SECONDS="0.2")
    stage.store(20)
    stage.wait_delivered(30)
    stage.sandbox.faults(outage=True)
    steps = int(hours * HOUR / step)
    stage.store(leads // 2)
    stage.wait(lambda: _shut(stage), 60, "the gate to shut")
    stage.pause(2)  # whoever had claimed before it shut is still on the way, and no probe is due for 30 s
    before = stage.sandbox.summary()["calls"]
    began = time.monotonic()
    most = _pass_time(stage, steps, step, leads // 2)
    probes = stage.sandbox.summary()["calls"] - before
    dead = stage.count("zoho_status = 'dead'")
    require(dead == 0, f"{dead} rows were given up")
    stage.figure("probes", probes)
    stage.figure("most tries of a row", stage.rows("SELECT max(retry_count) AS n FROM leads")[0]["n"])
    # The time that passed by itself comes on top of the time that was moved.
    allowed = (hours * HOUR + time.monotonic() - began) / PROBE_SECONDS
    require(probes <= allowed + 1, f"{probes} probes, {allowed:.0f} are allowed in {hours} hours")
    require(most <= max(1, step / PROBE_SECONDS) + 1, f"{most} probes within {step:g} s")
    stage.sandbox.only_faults()
    _drain_after(stage)
    stage.say(f"{hours} hours of outage in {steps:,} steps of {step:g} s, {len(stage.accepted):,} leads")


def _drain_after(stage: Stage) -> None:
    """A probe opens the gate; where the token ended meanwhile, a mint may have to wait for its turn first."""
    if stage.short:
        while stage.count("zoho_status <> 'sent'"):
            shift(stage, PROBE_SECONDS)
            stage.pause(0.3)
    stage.figure("drained in", stage.wait_delivered(300), "s")


def _shut(stage: Stage) -> bool:
    return bool(stage.rows("SELECT state = 'shut' AS shut FROM crm_gate")[0]["shut"])


def _pass_time(stage: Stage, steps: int, step: float, leads: int) -> int:
    """Let the steps pass, leads arriving all the while; gives the most calls that one step saw."""
    most, stored = 0, 0
    for number in range(steps):
        calls = stage.sandbox.summary()["calls"]
        shift(stage, step)
        if (number + 1) * step % HOUR == 0:
            grow_old(stage, HOUR)
        more = leads * (number + 1) // steps - stored
        stored += len(stage.store(more)) if more else 0
        stage.pause(0.25)
        most = max(most, stage.sandbox.summary()["calls"] - calls)
    return most


@drill("20b", "The drain after an outage: as fast as the CRM allows, and a new lead is in the CRM within 60 s")
def drain(stage: Stage) -> None:
    """Rows that failed and rows that never got a turn drain; a lead arrives every two seconds meanwhile.

    Five seconds on top: the first tick must come.
    """
    rows, milliseconds = (4_000, 200) if stage.short else (50_000, 500)
    for _ in range(rows // 2000):
        stage.store(1000)
        _fail_once(stage, stage.store(1000))
    stage.sandbox.faults(latency={"ms": milliseconds})
    stage.fleet(2)
    seconds, fresh = _drain_with_visitors(stage)
    ideal = rows / 100 / stage.settings.crm_calls_in_flight * (milliseconds / 1000)
    stage.figure("drained in", seconds, "s")
    stage.figure("the CRM's own limit", ideal, "s")
    stage.figure("rate", rows / seconds, "rows/s")
    stage.figure("slowest new lead", fresh[-1], "s")
    stage.figure("p95 of new leads", percentile(fresh, 0.95), "s")
    stage.say(
        f"{rows:,} rows waiting, half of them failed before; a call takes {milliseconds} ms, {len(fresh)} new leads"
    )
    require(fresh[-1] <= 60, f"a new lead took {fresh[-1]:.0f} s")
    stage.within(seconds, 1.25 * ideal + 5, f"all was drained, which the CRM's limits allow in {ideal:.0f} s,")


@drill("20c", "Fresh rows beside a retry storm: a new lead's time to the CRM while retries drain")
def lanes(stage: Stage) -> None:
    """Only retries are waiting; a lead arrives every two seconds."""
    rows, milliseconds = (2_000, 200) if stage.short else (50_000, 500)
    for _ in range(rows // 1000):
        _fail_once(stage, stage.store(1000))
    stage.sandbox.faults(latency={"ms": milliseconds})
    stage.fleet(2)
    seconds, fresh = _drain_with_visitors(stage)
    stage.figure("drained in", seconds, "s")
    stage.figure("slowest new lead", fresh[-1], "s")
    stage.figure("median of new leads", percentile(fresh, 0.5), "s")
    stage.say(f"{rows:,} retries due at once, {len(fresh)} new leads meanwhile")
    require(fresh[-1] <= 60, f"a new lead took {fresh[-1]:.0f} s")


def _fail_once(stage: Stage, ids: list[str]) -> None:
    stage.change(
        "UPDATE leads SET zoho_status = 'retrying', retry_count = 1, last_retry_at = now()"
        " WHERE id = ANY(%s::uuid[])",
        ids,
    )


def _drain_with_visitors(stage: Stage) -> tuple[float, list[float]]:
    """Seconds until nothing waits, and the pick-up times of the leads that came meanwhile."""
    began, since = time.monotonic(), stage.rows("SELECT now() AS at")[0]["at"]
    while stage.rows(
        "SELECT count(*) AS n FROM leads WHERE zoho_status <> 'sent' AND created_at < %s",
        since,
    )[0]["n"]:
        stage.store(1)
        stage.pause(0.5 if stage.short else 2.0)
        require(time.monotonic() - began < 600, "the drain does not end")
    seconds = time.monotonic() - began
    stage.wait_delivered(60)
    return seconds, pick_ups(stage, since)


@drill("20d", "Half of all CRM calls failing, in every way at once")
def half_failing(stage: Stage) -> None:
    """Ten faults together, each with its own probability; waits are shortened by the drill."""
    share = 0.12
    ways = ("drop", "server_error", "commit_then_drop", "commit_then_cut", "commit_then_error")
    faults = {name: {"probability": share, "path": "upsert"} for name in ways}
    faults["hang"] = {"probability": 0.03, "commit": True, "path": "upsert"}
    faults["too_many_requests"] = {"probability": share, "path": "upsert", "retry_after": "1"}
    faults["top_level_error"] = {"probability": 0.03, "status": 503, "code": "INTERNAL_ERROR"}
    faults["record_locked"] = {"probability": 0.05}
    faults["row_error"] = {"probability": 0.05}
    faults["latency"] = {"ms": 50, "jitter_ms": 200}
    stage.sandbox.faults(seed=stage.random.randrange(1000), **faults)
    leads = 200 if stage.short else 3000
    stage.fleet(2, CRM_BATCH_ROWS="10")
    stage.store(leads)
    began = time.monotonic()
    while stage.count("zoho_status <> 'sent'") and time.monotonic() - began < (25 if stage.short else 200):
        stage.hurry("zoho_status = 'retrying'")
        stage.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut' AND reason = 'outage'")
        stage.pause(0.5)
    sent = stage.count("zoho_status = 'sent'")
    calls = [call for call in stage.sandbox.calls(kind="api") if call["path"].endswith("upsert")]
    whole = faults.keys() - {"latency", "record_locked", "row_error"}
    failed = sum(bool(whole & set((call["fault"] or "").split(","))) for call in calls)
    stage.figure("calls spoilt", 100 * failed / len(calls), "%")
    stage.figure("sent while it failed", sent)
    stage.sandbox.only_faults()
    stage.hurry()
    stage.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
    stage.wait_delivered(120)
    stage.say(
        f"{leads:,} leads, {len(calls):,} calls, {failed:,} of them spoilt in {len(whole)} ways; and one row in ten"
    )
