"""Property 23: a reply that drips."""

from __future__ import annotations

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import require

TIMED_OUT = "SELECT call_id FROM crm_attempts WHERE code = 'TIMEOUT'"


@drill("23", "A body that drips one byte per 5 s: the call's time limit holds")
def drip(env: DrillEnvironment) -> None:
    """The CRM has stored the rows, but its replies to four calls side by side would take hours."""
    env.ready_worker()
    env.sandbox.faults(drip={"count": 4, "path": "upsert", "seconds": 5.0 if not env.short else 0.5})
    env.store(4)
    env.wait(lambda: len(env.rows(TIMED_OUT)) == 4, 90, "the calls to end")
    found = env.rows(
        "SELECT extract(epoch FROM max(at) - min(at))::float8 AS s FROM crm_attempts"
        " GROUP BY call_id HAVING bool_or(code = 'TIMEOUT') ORDER BY s"
    )
    took, limit = [row["s"] for row in found], env.settings.crm_call_seconds
    env.figure("the slowest call ended after", took[-1], "s")
    odd = [seconds for seconds in took if not limit - 0.5 <= seconds <= limit + 1.5]
    require(not odd, f"{len(odd)} of {len(took)} calls did not end after {limit:g} s, {took[-1]:.1f} s at most")
    env.make_due()
    env.wait_delivered(60)
    env.note(f"4 rows, replies of one byte every 5 s, cut at {limit:g} s, delivered afterwards")
