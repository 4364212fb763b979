"""Properties 6 and 7: a storm of kill -9, and rolling restarts."""

from __future__ import annotations

import time

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness import outbox
from proofs.harness.case import require

UNKNOWN = "SELECT count(*) AS n FROM crm_attempts WHERE code IN ('TIMEOUT', 'CONNECTION_LOST')"


@drill("6", "Kill storm: a kill -9 a second, exactly once, without intervention")
def kill_storm(env: DrillEnvironment) -> None:
    """Half of the leads wait at the start, the others arrive during the storm; dead workers are replaced."""
    leads, count, storm = (400, 2, 10.0) if env.short else (10_000, 4, 150.0)
    env.sandbox.faults(latency={"ms": 200, "jitter_ms": 300})
    env.store(leads // 2)
    fleet = [env.worker() for _ in range(count)]
    began, kills, arrived = time.monotonic(), 0, leads // 2
    while time.monotonic() - began < storm:
        env.pause(1.0)
        number = env.random.randrange(count)
        fleet[number].kill()
        fleet[number] = env.worker()
        kills += 1
        more = min(leads - arrived, int(leads / storm) + 1)
        arrived += len(env.store(more)) if more else 0
    env.figure("in the CRM when the storm ends", env.in_crm())
    env.store(leads - arrived)
    settle = _settle(env)
    env.note(f"{leads:,} leads, {count} workers, {kills} kills in {storm:.0f} s")
    env.figure("seconds from storm's end to all delivered", settle)
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead: an operator would have to redrive them")


def _settle(env: DrillEnvironment) -> float:
    """Wait until every row is sent or dead; returns the seconds it took. The short set skips the back-off."""

    def is_settled() -> bool:
        if env.short:
            env.make_due("zoho_status = 'retrying'")
        return env.count(outbox.OWED) == 0

    if env.short:
        env.pause(env.settings.crm_lease_seconds + 1)
    return env.wait(is_settled, 400, "all rows to be settled", every=0.5)


@drill("7", "SIGTERM: rolling restarts under load, no unknown outcomes, exit within the call limit", short=False)
def rolling_restarts(env: DrillEnvironment) -> None:
    """Two workers are replaced in turn, while leads keep arriving and calls take 300 ms."""
    env.sandbox.faults(latency={"ms": 300})
    restarts = 4 if env.short else 20
    fleet, slowest = env.fleet(2), 0.0
    for number in range(restarts):
        env.store(150)
        env.pause(env.random.uniform(0.1, 0.6))
        slowest = max(slowest, fleet[number % 2].stop_within(env.call_limit))
        fleet[number % 2] = env.ready_worker()
    env.wait_delivered(60)
    unknown = env.rows(UNKNOWN)[0]["n"]
    require(unknown == 0, f"{unknown} rows had an unknown outcome")
    updates = env.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    env.note(f"{restarts} restarts, {len(env.accepted):,} leads")
    env.figure("slowest exit", slowest, "s")
