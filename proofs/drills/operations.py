"""Property 29: two versions side by side with a migration between them."""

from __future__ import annotations

import time

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import require

# An additive migration of a table under writes: a column, then an index built without blocking them.
MIGRATION = (
    "ALTER TABLE leads ADD COLUMN drill_note varchar(40)",
    "CREATE INDEX CONCURRENTLY ix_drill_note ON leads (drill_note)",
)


@drill("29", "Old and new code side by side with a migration between them: exactly once", short=False)
def deployment(env: DrillEnvironment) -> None:
    """Two workers and the site run under load while a table is migrated; then the workers are replaced."""
    site = env.site()
    old = env.fleet(2)
    rounds = 3 if env.short else 15
    for _ in range(rounds):
        env.post(site, env.people(20))
        env.store(100)
    began = time.monotonic()
    with env.connect() as connection:
        for statement in MIGRATION:
            connection.execute(statement.encode())
            env.post(site, env.people(20))
            env.store(100)
    env.figure("migration under load", time.monotonic() - began, "s")
    slowest = 0.0
    for worker in old:
        env.ready_worker()
        env.store(200)
        env.post(site, env.people(20))
        slowest = max(slowest, worker.stop_within(env.call_limit))
    env.figure("slowest exit", slowest, "s")
    for _ in range(rounds):
        env.post(site, env.people(20))
    require(not env.possible, f"{len(env.possible)} posts were refused during the deployment")
    env.wait_delivered(120)
    updates = env.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    env.note("a column and an index added while site and workers run, then every worker replaced by a new one")
