"""The state of the product as operators see it: on the command line, in Flower and in the metrics. Read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, text

from leads.crm_state.fields import FieldCheck, read_field_check
from leads.crm_state.token import TokenTable
from leads.destinations import CRM, DETAILS, VISITOR
from leads.lifecycle import LOST_LEASES_ALARM
from leads.outbox.flow import Health, read_health
from leads.outbox.gate import Gate, read_gates
from leads.outbox.selection import Selection, count_rows
from leads.outbox.stats import Pile, read_backlog
from leads.outbox.stopped import Stopped, read_held_real
from leads.outbox.store import storage_problem
from leads.privacy.erasure import count_open_rows

# Rows in a call count too, or the alarm would end with each try and ring again after it.
_LOSING = text(f"""
SELECT count(*) FROM deliveries WHERE status IN ('sending', 'retrying') AND lost_leases >= {LOST_LEASES_ALARM}
""")  # noqa: S608 - constants of this project

# Rows that come back again and again without a try, as from claims that nobody sends. What a shut gate defers has
# other codes. The log has no index by time; see leads/outbox/flow.py.
_CIRCLING = text("""
SELECT count(*) FROM (
    SELECT 1 FROM (SELECT * FROM attempts ORDER BY id DESC LIMIT 20000) AS newest
    WHERE code IN ('NOT_TRIED', 'LEASE_SHORT', 'NOT_SENT', 'DATABASE_SILENT', 'DATABASE_FAILED')
        AND at > now() - interval '1 hour'
    GROUP BY destination, row_id HAVING count(*) >= :times
) AS circling
""")
CIRCLES_ALARM = 20  # within an hour: a mail server that drops its connections makes some, until its gate shuts


@dataclass(frozen=True, slots=True)
class Overview:
    """What waits, and what stands in its way.

    read_at: when that was so. gates: by destination, the CRM first. healths: the same, and of destinations that
    have rows and no gate yet. refusal: the code with which the CRM refused our credentials, and how many seconds
    ago; None: it did not. losing: rows whose calls have lost five workers or more. circling: rows that came back
    twenty times or more within an hour without a try. held_real: held rows of the last day that look real.
    refused_today: acknowledgements that were given up within the last day. skipped_today: messages that a limit
    skipped within it. storage_error: why no enquiry can be stored; None: it can. redis_error: why Redis does not
    answer; None: it does, or was not asked.
    """

    read_at: datetime
    gates: Mapping[str, Gate]
    healths: Mapping[str, Health]
    refusal: tuple[str, float] | None
    fields: FieldCheck
    backlog: list[Pile]
    losing: int
    circling: int
    held_real: list[Stopped]
    erasures_open: int
    refused_today: int
    skipped_today: int
    storage_error: str | None
    redis_error: str | None

    @property
    def gate(self) -> Gate:
        """The CRM's gate."""
        return self.gates[CRM]

    @property
    def health(self) -> Health:
        """How the CRM has answered."""
        return self.healths[CRM]

    def count(self, *states: str, destination: str = CRM) -> int:
        """How many rows of a destination are in these states, of both kinds."""
        piles = (pile for pile in self.backlog if pile.destination == destination)
        return sum(pile.rows for pile in piles if pile.status in states)

    def since(self, at: datetime | None) -> float:
        """How many seconds before this was read that was; 0 for None."""
        return 0.0 if at is None else max(0.0, (self.read_at - at).total_seconds())

    def waited(self, destination: str = CRM) -> float:
        """How many seconds a destination's oldest row had waited; 0: none did."""
        return self.since(self.healths[destination].oldest_waiting_at)

    @property
    def records(self) -> list[str]:
        """The destinations in the CRM."""
        return [name for name in self.healths if name in (CRM, DETAILS)]

    @property
    def others(self) -> list[str]:
        """The destinations beside that of leads."""
        return [name for name in self.healths if name != CRM]

    @property
    def messages(self) -> list[str]:
        """The destinations outside of the CRM: people."""
        return [name for name in self.healths if name not in (CRM, DETAILS)]


def read_overview(engine: Engine, redis_error: str | None = None) -> Overview:
    """Read it all, in two dozen short statements; what its caller knows of Redis goes with it."""
    with engine.connect() as connection:
        losing = int(connection.execute(_LOSING).scalar_one())
        circling = int(connection.execute(_CIRCLING, {"times": CIRCLES_ALARM}).scalar_one())
    gates, backlog = read_gates(engine), read_backlog(engine)
    return Overview(
        read_at=datetime.now(UTC),
        gates=gates,
        healths={
            name: read_health(engine, name, backlog)
            for name in dict.fromkeys([*gates, *(pile.destination for pile in backlog)])
        },
        refusal=TokenTable(engine).refusal(),
        fields=read_field_check(engine),
        backlog=backlog,
        losing=losing,
        circling=circling,
        held_real=read_held_real(engine),
        erasures_open=count_open_rows(engine),
        refused_today=_stopped_today(engine, "dead", VISITOR),
        skipped_today=_stopped_today(engine, "skipped"),
        storage_error=storage_problem(engine) or None,
        redis_error=redis_error,
    )


def _stopped_today(engine: Engine, state: str, destination: str | None = None) -> int:
    lately = Selection(states=(state,), destination=destination, since=datetime.now(UTC) - timedelta(days=1))
    return sum(part["rows"] for part in count_rows(engine, lately))
