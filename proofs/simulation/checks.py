"""Checks of a run that look at the database: whether rows flow in quiet times, and what is left at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from proofs.simulation.scenario import HOUR, MINUTE
from proofs.simulation.scheduler import SECOND

if TYPE_CHECKING:
    from proofs.simulation.run import Run

# What is owed at the calm end is delivered by then: the longest back-off is 4 h and a fifth.
MAX_CALM_SECONDS = 6 * HOUR
LOOK_SECONDS = 5 * MINUTE
# Due rows of a quiet time wait no longer: a few ticks, and the lease of a call that was lost before it.
MAX_DUE_SECONDS = 120
# After an outage every row that failed in it is delivered in so many minutes, and one for each try it has made
# (gate.py: a probe every 30 s, the second at once; then a minute a try; here a lead comes within a minute).
OUTAGE_MINUTES = 4
_LATE = """
SELECT id::text, zoho_status, retry_count, lost_leases, last_error FROM deliveries
WHERE zoho_status IN ('pending', 'retrying') AND lost_leases < 2
  AND next_retry_at < now() - make_interval(secs => %s)
"""
_FAILED_IN_OUTAGE = """
SELECT id, retry_count FROM deliveries WHERE zoho_status = 'retrying' AND lost_leases = 0
  AND split_part(last_error, ':', 1) ~ '^(CONNECT_FAILED|CONNECTION_LOST|TIMEOUT|HTTP_5..|INTERNAL_ERROR)$'
ORDER BY id
"""
_DESCRIBE = """
SELECT id::text, zoho_status, retry_count, lost_leases, workers_killed, next_retry_at - now(), last_error
FROM deliveries WHERE id = ANY(%s) ORDER BY id
"""


@dataclass(slots=True)
class Checks:
    """The checks of one run."""

    run: Run
    ends_at: int = 0
    is_redriven: bool = False

    def check_flow(self) -> None:
        """In a quiet time: the gate is open, and nothing has been due for long."""
        run = self.run
        ((state, reason),) = run.database.query("SELECT state, reason FROM crm_gate")
        run.oracle.require("the gate opens after trouble", state == "open", f"still shut: {reason}")
        late = run.database.query(_LATE, MAX_DUE_SECONDS)
        text = f"{len(late)} rows are due for more than {MAX_DUE_SECONDS} s in a quiet time: {late[:3]}"
        run.oracle.require("due rows flow", not late, text)

    def expect_delivery(self) -> None:
        """Trouble is over: what failed in an outage must arrive in minutes; each row is judged when they are."""
        run = self.run
        ((state, reason),) = run.database.query("SELECT state, reason FROM crm_gate")
        if state == "shut" and reason != "outage":
            return
        for event, tries in run.database.query(_FAILED_IN_OUTAGE):
            if not run.oracle.rows[event].marker:
                self._expect(event, OUTAGE_MINUTES + tries)

    def _expect(self, event: UUID, minutes: int) -> None:
        self.run.scheduler.after(minutes * MINUTE, lambda: self._check_delivered(event))

    def _check_delivered(self, event: UUID) -> None:
        row = self.run.oracle.rows[event]
        if self.run.is_quiet:
            holds = row.status != "retrying" or row.lost > 0
            self.run.oracle.require("delivered soon after an outage", holds, self.describe([event]))

    def begin_end(self) -> None:
        """The calm end begins: look from time to time whether anything is still owed."""
        self.ends_at = self.run.scheduler.now + int(MAX_CALM_SECONDS * SECOND)
        self.run.scheduler.after(HOUR, self._look)

    def _look(self) -> None:
        run = self.run
        owed = run.oracle.owed()
        erasures = run.database.query("SELECT count(*) FROM erased_rows WHERE done_at IS NULL")[0][0]
        if not owed and not erasures:
            if self.is_redriven:
                run.is_over = True
                return
            self.is_redriven = True
            run.people.redrive_all()
        text = f"{len(owed)} rows are owed after 6 h: {self.describe(owed[:3])}; {erasures} open erasures"
        run.oracle.require("all is delivered in the calm end", run.scheduler.now <= self.ends_at, text)
        run.scheduler.after(LOOK_SECONDS, self._look)

    def check_end(self) -> None:
        """Nothing is owed any more: judge what is left."""
        run = self.run
        run.oracle.check_end(run.crm, run.people.accepted)
        claims = run.database.query("SELECT call_id, row_id::text FROM crm_attempts WHERE event = 'claimed'")
        run.oracle.check_log(run.crm, {(str(call), str(row)) for call, row in claims})
        ((taken,),) = run.database.query("SELECT count(*) FROM crm_slots WHERE until_at > now()")
        run.oracle.require("the slots are free at the end", taken == 0, f"{taken} are taken")
        run.figures["rows"] += len(run.oracle.rows)
        run.figures["most calls in flight"] = run.crm.most_in_flight

    def describe(self, events: list[UUID]) -> str:
        """The delivery state of some rows, in a line."""
        found = self.run.database.query(_DESCRIBE, events)
        return "; ".join(", ".join(str(value) for value in row) for row in found)
