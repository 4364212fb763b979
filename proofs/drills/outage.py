"""Properties 20, 36 and 40: long outages, the drain after them, new and lone leads; many failures at once."""

from __future__ import annotations

import time

from leads.outbox.gate import Reason, open_gate, shut_gate
from proofs.drills.broker import pick_ups
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import percentile
from proofs.harness import outbox
from proofs.harness.case import require

HOUR = 3600.0
PROBE_SECONDS = 30.0
# Nobody is killed in a drain. On a busy machine a call takes longer than the two seconds of the short set, and five
# such calls shut the gate for half a minute.
PATIENT = {"CRM_LEASE_SECONDS": "60", "CRM_CALL_SECONDS": "25"}
SHIFT_GATE = """
UPDATE crm_gate SET until_at = until_at - make_interval(secs => %(s)s),
    changed_at = changed_at - make_interval(secs => %(s)s),
    failing_since = failing_since - make_interval(secs => %(s)s)
"""
SHIFT_MINTS = """
UPDATE crm_token SET expires_at = expires_at - make_interval(secs => %(s)s),
    next_mint_at = next_mint_at - make_interval(secs => %(s)s)
"""


def shift(env: DrillEnvironment, seconds: float) -> None:
    """Move the times of everything that waits `seconds` into the past, as if that time had passed."""
    env.forward(
        "next_retry_at = next_retry_at - make_interval(secs => %s)",
        f"{outbox.WAITING} AND next_retry_at > now()",
        seconds,
    )
    with env.connect() as connection:
        for statement in (SHIFT_GATE, SHIFT_MINTS):
            connection.execute(statement, {"s": seconds})


def grow_old(env: DrillEnvironment, seconds: float) -> None:
    """Age every waiting row by `seconds`; separate from `shift`, as updating ten thousand rows a step is slow."""
    with env.connect() as connection:
        connection.execute(outbox.GROW_OLD.encode(), {"s": seconds})


@drill("20", "A 12-hour outage: no row exhausted, one probe per 30 s, a full drain afterwards", max_seconds=1500)
def outage(env: DrillEnvironment) -> None:
    """Leads keep arriving; time passes in steps of 30 s (long) or an hour (short), twelve hours of them."""
    leads, step, hours = (400, HOUR, 12) if env.short else (10_000, PROBE_SECONDS, 12)
    env.fleet(2, CRM_TICK_SECONDS="0.2")
    env.store(20)
    env.wait_delivered(30)
    env.sandbox.faults(outage=True)
    steps = int(hours * HOUR / step)
    env.store(leads // 2)
    env.wait(lambda: _shut(env), 60, "the gate to shut")
    env.pause(2)  # calls claimed before it shut are still on their way, and no probe is due for 30 s
    before = _probes(env)
    began = time.monotonic()
    peak = _pass_time(env, steps, step, leads // 2)
    probes = _probes(env) - before
    dead = env.count("zoho_status = 'dead'")
    require(dead == 0, f"{dead} rows were given up")
    env.figure("probes", probes)
    env.figure("most tries of a row", env.look("max(retry_count) AS n")[0]["n"])
    # Real time comes on top of the simulated time.
    allowed = (hours * HOUR + time.monotonic() - began) / PROBE_SECONDS
    require(probes <= allowed + 1, f"{probes} probes, {allowed:.0f} are allowed in {hours} hours")
    require(peak <= max(1, step / PROBE_SECONDS) + 1, f"{peak} probes within {step:g} s")
    env.sandbox.only_faults()
    _drain_after(env)
    env.note(f"{hours} hours of outage in {steps:,} steps of {step:g} s, {len(env.accepted):,} leads")


def _drain_after(env: DrillEnvironment) -> None:
    """A probe opens the gate; if the token has expired meanwhile, the spacing of mints may delay it."""
    if env.short:
        while env.count("zoho_status <> 'sent'"):
            shift(env, PROBE_SECONDS)
            env.pause(0.3)
    env.figure("drained in", env.wait_delivered(300), "s")


def _shut(env: DrillEnvironment) -> bool:
    return bool(env.rows("SELECT state = 'shut' AS shut FROM crm_gate")[0]["shut"])


def _probes(env: DrillEnvironment) -> int:
    """How often rows were claimed. A row that was tried before is looked for first, which is a call of its own."""
    return int(env.rows("SELECT count(DISTINCT call_id) AS n FROM crm_attempts WHERE event = 'claimed'")[0]["n"])


def _pass_time(env: DrillEnvironment, steps: int, step: float, leads: int) -> int:
    """Simulate the steps while leads arrive; returns the most probes in one step."""
    peak, stored = 0, 0
    for number in range(steps):
        before = _probes(env)
        shift(env, step)
        if (number + 1) * step % HOUR == 0:
            grow_old(env, HOUR)
        more = leads * (number + 1) // steps - stored
        stored += len(env.store(more)) if more else 0
        env.pause(0.25)
        peak = max(peak, _probes(env) - before)
    return peak


@drill("20b", "The drain after an outage: as fast as the CRM allows, and a new lead is in the CRM within 60 s")
def drain(env: DrillEnvironment) -> None:
    """Rows that have failed and rows that were never tried drain, while a lead arrives every two seconds.

    The limit includes five seconds for the first tick.
    """
    rows, milliseconds = (4_000, 200) if env.short else (50_000, 500)
    for _ in range(rows // 2000):
        env.store(1000)
        _fail_once(env, env.store(1000))
    env.sandbox.faults(latency={"ms": milliseconds})
    env.variables |= PATIENT
    env.reread_settings()
    env.fleet(2)
    seconds, fresh = _drain_with_visitors(env)
    ideal = rows / 100 / env.settings.crm_calls_in_flight * (milliseconds / 1000)
    env.figure("drained in", seconds, "s")
    env.figure("the CRM's own limit", ideal, "s")
    env.figure("rate", rows / seconds, "rows/s")
    env.figure("slowest new lead", fresh[-1], "s")
    env.figure("p95 of new leads", percentile(fresh, 0.95), "s")
    env.note(
        f"{rows:,} rows waiting, half of them failed before; a call takes {milliseconds} ms, {len(fresh)} new leads"
    )
    require(fresh[-1] <= 60, f"a new lead took {fresh[-1]:.0f} s")
    env.within(seconds, 1.25 * ideal + 5, f"all was drained, which the CRM's limits allow in {ideal:.0f} s,")


@drill("20c", "Fresh rows beside a retry storm: a new lead's time to the CRM while retries drain")
def lanes(env: DrillEnvironment) -> None:
    """Only retries are waiting; a new lead arrives every two seconds."""
    rows, milliseconds = (2_000, 200) if env.short else (50_000, 500)
    for _ in range(rows // 1000):
        _fail_once(env, env.store(1000))
    env.sandbox.faults(latency={"ms": milliseconds})
    env.variables |= PATIENT
    env.reread_settings()
    env.fleet(2)
    seconds, fresh = _drain_with_visitors(env)
    env.figure("drained in", seconds, "s")
    env.figure("slowest new lead", fresh[-1], "s")
    env.figure("median of new leads", percentile(fresh, 0.5), "s")
    env.note(f"{rows:,} retries due at once, {len(fresh)} new leads meanwhile")
    require(fresh[-1] <= 60, f"a new lead took {fresh[-1]:.0f} s")


def _fail_once(env: DrillEnvironment, ids: list[str]) -> None:
    env.arrange("zoho_status = 'retrying', retry_count = 1, last_retry_at = now()", "id = ANY(%s::uuid[])", ids)


def _drain_with_visitors(env: DrillEnvironment) -> tuple[float, list[float]]:
    """Seconds until the backlog is sent, and the pick-up times of the leads that arrived meanwhile."""
    began, since = time.monotonic(), env.rows("SELECT now() AS at")[0]["at"]
    while env.look("count(*) AS n", "zoho_status <> 'sent' AND created_at < %s", since)[0]["n"]:
        env.store(1)
        env.pause(0.5 if env.short else 2.0)
        require(time.monotonic() - began < 600, "the drain does not end")
    seconds = time.monotonic() - began
    env.wait_delivered(60)
    return seconds, pick_ups(env, since)


@drill("20d", "Half of all CRM calls failing, in every way at once")
def half_failing(env: DrillEnvironment) -> None:
    """Ten faults together, each with its own probability; the drill shortens the waits."""
    share = 0.12
    ways = ("drop", "server_error", "commit_then_drop", "commit_then_cut", "commit_then_error")
    faults = {name: {"probability": share, "path": "upsert"} for name in ways}
    faults["hang"] = {"probability": 0.03, "commit": True, "path": "upsert"}
    faults["too_many_requests"] = {"probability": share, "path": "upsert", "retry_after": "1"}
    faults["top_level_error"] = {"probability": 0.03, "status": 503, "code": "INTERNAL_ERROR"}
    faults["record_locked"] = {"probability": 0.05}
    faults["row_error"] = {"probability": 0.05}
    faults["latency"] = {"ms": 50, "jitter_ms": 200}
    env.sandbox.faults(seed=env.random.randrange(1000), **faults)
    leads = 200 if env.short else 3000
    env.fleet(2, CRM_BATCH_ROWS="10")
    env.store(leads)
    began = time.monotonic()
    while env.count("zoho_status <> 'sent'") and time.monotonic() - began < (25 if env.short else 200):
        env.make_due("zoho_status = 'retrying'")
        env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut' AND reason = 'outage'")
        env.pause(0.5)
    sent = env.count("zoho_status = 'sent'")
    calls = [call for call in env.sandbox.calls(kind="api") if call["path"].endswith("upsert")]
    whole = faults.keys() - {"latency", "record_locked", "row_error"}
    failed = sum(bool(whole & set((call["fault"] or "").split(","))) for call in calls)
    env.figure("calls failed", 100 * failed / len(calls), "%")
    env.figure("sent while it failed", sent)
    env.sandbox.only_faults()
    env.make_due()
    env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
    env.wait_delivered(120)
    env.note(
        f"{leads:,} leads, {len(calls):,} calls, {failed:,} of them failed in {len(whole)} ways, and one row in ten"
    )


@drill("36", "80 hours of outage or pause, then bad replies: nothing dead", short=False)
def three_days(env: DrillEnvironment) -> None:
    """Waiting behind a shut gate makes a row old, but spends no try; then whole batches get bad replies."""
    leads, steps = (200, 16) if env.short else (2000, 160)
    env.fleet(2, CRM_TICK_SECONDS="0.2", CRM_BATCH_ROWS="20")
    env.store(20)
    env.wait_delivered(30)
    env.sandbox.faults(outage=True)
    env.store(leads)
    env.wait(lambda: _shut(env), 60, "the gate to shut")
    _eighty_hours(env, steps)
    env.sandbox.only_faults(latency={"ms": 300})
    while _shut(env):
        shift(env, PROBE_SECONDS)
        env.pause(0.1)
    _bad_replies(env, "the outage")
    shut_gate(env.engine, Reason.PAUSED, "a long weekend", by="drill")
    env.store(leads)
    _eighty_hours(env, steps)
    open_gate(env.engine, by="drill")
    _bad_replies(env, "the pause")
    env.note(f"{leads:,} leads behind 80 hours of outage, {leads:,} behind a pause; then 3 bad replies")


def _eighty_hours(env: DrillEnvironment, steps: int) -> None:
    for _ in range(steps):
        shift(env, 80 * HOUR / steps)
        grow_old(env, 80 * HOUR / steps)
        env.pause(0.25)
    (oldest,) = env.look("extract(epoch FROM now() - min(queued_at))::float8 AS s")
    require(oldest["s"] > 79 * HOUR, f"the oldest lead is {oldest['s'] / HOUR:.0f} hours old, not 80")


def _bad_replies(env: DrillEnvironment, after: str) -> None:
    since = len(env.sandbox.calls(kind="api"))
    env.sandbox.faults(server_error={"status": 500, "count": 3, "path": "upsert"})

    def is_done() -> bool:
        env.make_due("zoho_status = 'retrying'")
        return env.count(outbox.OWED) == 0

    env.wait(is_done, 120, f"all rows to be settled after {after}", every=0.3)
    calls = env.sandbox.calls(kind="api", offset=since)
    struck = [call["rows"] for call in calls if "server_error" in (call["fault"] or "")]
    require(sum(struck) > 3, f"the bad replies struck {struck} rows: no batch")
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads were given up after {after} and bad replies to {sum(struck)} rows")


@drill(
    "40",
    "A lone lead after an outage: pulled forward by the first success, soon back without other traffic",
    short=False,
)
def lone_lead(env: DrillEnvironment) -> None:
    """On a quiet day one lead fails for hours, by itself; then one that fails while others are answered."""
    env.ready_worker(CRM_TICK_SECONDS="0.2")
    env.store(20)
    env.wait_delivered(30)
    for hours in (2.5,) if env.short else (2.5, 14):
        env.sandbox.faults(outage=True)
        ids = env.store(1)
        env.wait(lambda ids=ids: _tries(env, ids) == 1, 30, "the first try")  # type: ignore[misc]
        _quiet_time(env, hours * HOUR, 5 * 60)
        tries = _tries(env, ids)
        env.sandbox.only_faults()
        seconds = _until_sent(env, ids, 4 * HOUR)
        env.figure(f"alone after {hours:g} hours: back after", seconds / 60, "min of its time")
        require(seconds <= 900 + PROBE_SECONDS, f"it came {seconds / 60:.0f} min after {hours:g} hours of outage")
        env.note(f"{hours:g} hours of outage with one lead ({tries} tries)")
    _beside_others(env)


def _quiet_time(env: DrillEnvironment, seconds: float, step: float) -> None:
    for _ in range(int(seconds / step)):
        shift(env, step)
        grow_old(env, step)
        env.pause(0.3)


def _until_sent(env: DrillEnvironment, ids: list[str], limit: float) -> float:
    """Let time pass in steps until the lead is in the CRM; returns the simulated seconds."""
    passed = 0.0
    while not env.records_of(ids) and passed < limit:
        shift(env, PROBE_SECONDS)
        grow_old(env, PROBE_SECONDS)
        passed += PROBE_SECONDS
        env.pause(0.3)
    return passed


def _beside_others(env: DrillEnvironment) -> None:
    """The breaker stays open; after its seventh failure the lead would wait for an hour."""
    shuts = "SELECT count(*) AS n FROM drill_log WHERE what = 'gate shut'"
    before = env.rows(shuts)[0]["n"]
    env.sandbox.faults(drop={"count": 1, "path": "upsert"})
    ids = env.store(1, "held")
    env.excused.pop(ids[0])
    failed = "zoho_status = 'retrying', retry_count = 6, last_retry_at = now() - interval '40 min'"
    env.arrange(f"{failed}, next_retry_at = now()", "id = ANY(%s::uuid[])", ids)
    env.wait(lambda: _tries(env, ids) == 7, 30, "the seventh failure")
    env.wait_in_crm(env.store(1), 30, "another lead")
    seconds = _until_sent(env, ids, 4 * HOUR)
    env.figure("beside others: back after", seconds / 60, "min of its time")
    require(seconds <= 8 * 60, f"it came {seconds / 60:.0f} min after another lead's success")
    require(env.rows(shuts)[0]["n"] == before, "the gate was shut")
    env.note("a lead that had failed seven times, beside another that was answered")


def _tries(env: DrillEnvironment, ids: list[str]) -> int:
    return int(env.look("retry_count AS n", "id = ANY(%s::uuid[])", ids)[0]["n"])
