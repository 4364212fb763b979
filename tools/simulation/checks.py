"""Checks of a run that look at the database: whether rows flow in quiet times, and what is left at the end."""

import re
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from leads.destinations import STAFF_WEBHOOK
from tools.simulation import outbox
from tools.simulation.oracle import OWED, Row
from tools.simulation.scheduler import SECOND
from tools.simulation.world import HOUR, MINUTE, World

# What is owed at the calm end is delivered by then: the longest back-off is 4 h and a fifth.
MAX_CALM_SECONDS = 6 * HOUR
LOOK_SECONDS = 5 * MINUTE
# Due rows of a quiet time wait no longer: a few ticks, and the lease of a call that was lost before it.
MAX_DUE_SECONDS = 120
# After an outage every row that failed in it is delivered in so many minutes, and one for each try it has made:
# a trial goes every 30 s, and here a lead comes within a minute.
OUTAGE_MINUTES = 4
# A row that kills its worker takes it away from the others for so long.
KILLER_MINUTES = 3
# Twice a row that kills its worker may be the trial, which then ends no pause; the next comes as much later.
LOST_TRIAL_SECONDS = 25 * MINUTE
UNANSWERED = re.compile(r"(CONNECT_FAILED|CONNECTION_LOST|TIMEOUT|HTTP_5..|INTERNAL_ERROR)(:|$)")
# Limits leave out some acknowledgements.
ENDED = frozenset({"sent", "held", "skipped"})


@dataclass(slots=True)
class Checks:
    """The checks of one world."""

    world: World
    ends_at: int = 0
    is_redriven: bool = False

    def check_flow(self) -> None:
        """In a quiet time: nothing is paused, and nothing has been due for long."""
        world = self.world
        ((reason, _),) = world.database.query(outbox.CRM_PAUSE)
        if reason and world.scheduler.now < world.killed_at + LOST_TRIAL_SECONDS * SECOND:
            return
        world.oracle.require("a pause ends after trouble", reason is None, f"still paused: {reason}")
        long_ago, rows = world.scheduler.now - MAX_DUE_SECONDS * SECOND, world.oracle.rows
        late = [
            event for event in world.oracle.owed()
            if rows[event].status != "sending" and rows[event].lost < 2 and rows[event].due < long_ago
        ]  # fmt: skip
        text = f"{len(late)} rows are due for more than {MAX_DUE_SECONDS} s: {world.oracle.describe(late[:3])}"
        world.oracle.require("due rows flow", not late, text)

    def expect_delivery(self) -> None:
        """Trouble is over: what failed in an outage must arrive in minutes; each row is judged when they are.

        Failures too few for a pause are no outage: such a row keeps its own wait.
        """
        world = self.world
        ((reason, _),) = world.database.query(outbox.CRM_PAUSE)
        if reason not in {None, "outage"}:
            return
        for event, row in sorted(world.oracle.rows.items()):
            if row.status == "retrying" and not row.lost and not row.marker and UNANSWERED.match(row.error):
                wait = 0 if reason else max(0.0, (row.due - world.scheduler.now) / SECOND)
                minutes = OUTAGE_MINUTES + row.tries + KILLER_MINUTES * world.people.killers
                world.scheduler.after(wait + minutes * MINUTE, partial(self._check_delivered, event, row))

    def _check_delivered(self, event: UUID, row: Row) -> None:
        if self.world.is_quiet:
            holds = row.status != "retrying" or row.lost > 0
            text = self.world.oracle.describe([event])
            self.world.oracle.require("delivered soon after an outage", holds, text)

    def begin_end(self) -> None:
        """The calm end begins: look from time to time whether anything is still owed."""
        self.ends_at = self.world.scheduler.now + int(MAX_CALM_SECONDS * SECOND)
        self.world.scheduler.after(HOUR, self._look)

    def _look(self) -> None:
        world = self.world
        owed = world.oracle.owed()
        erasures = world.database.query("SELECT count(*) FROM erased_rows WHERE done_at IS NULL")[0][0]
        messages = self.messages_owed()
        if not owed and not erasures and not messages:
            if self.is_redriven:
                world.is_over = True
                return
            self.is_redriven = True
            world.people.redrive_all()
        text = f"{len(owed)} rows are owed after 6 h: {world.oracle.describe(owed[:3])}; {erasures} open erasures"
        text += f", {messages} messages"
        world.oracle.require("all is delivered in the calm end", world.scheduler.now <= self.ends_at, text)
        world.scheduler.after(LOOK_SECONDS, self._look)

    def check_end(self) -> None:
        """Nothing is owed any more: judge what is left."""
        world = self.world
        world.oracle.check_end(world.crm, world.people.accepted, world.people.answered)
        wrong = [str(event) for event in world.people.held_by_clocks]
        world.oracle.require("nobody is held for a clock", not wrong, str(wrong))
        self.check_messages()
        claims = world.database.query("SELECT call_id, row_id::text FROM crm_attempts WHERE event = 'claimed'")
        world.oracle.check_log(world.crm, {(str(call), str(row)) for call, row in claims})

    def check_messages(self) -> None:
        """Nothing is owed any more: staff and visitors were told what is marked so."""
        world = self.world
        messages = world.database.query(outbox.MESSAGES)
        silent = [f"{destination} of {row}" for row, destination, status in messages if status not in ENDED]
        world.oracle.require("staff and visitors are told", not silent, f"not {silent}")
        told = {(STAFF_WEBHOOK, event) for event in world.crm.told} | world.mail.told
        untold = {(destination, str(row)) for row, destination, status in messages if status == "sent"} - told
        world.oracle.require("told means that they have it", not untold, str(untold))

    def messages_owed(self) -> int:
        """How many messages wait for their receiver."""
        return sum(status in OWED for _, _, status in self.world.database.query(outbox.MESSAGES))
