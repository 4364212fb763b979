"""Property 23: a reply that drips."""

from __future__ import annotations

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import require


@drill("23", "A body that drips one byte per 5 s: the call's time limit holds")
def drip(env: DrillEnvironment) -> None:
    """The CRM has stored the rows, but its replies to four calls side by side would take hours."""
    env.ready_worker()
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
