"""The state of the product as operators see it: on the command line, in Flower and in the metrics. Read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, func, select

from leads.crm_state import FieldCheck, TokenTable, read_field_check
from leads.destinations import CRM
from leads.lifecycle import LOST_LEASES_ALARM
from leads.outbox.pause import Destination, read_destinations
from leads.outbox.stats import Group, Refusal, read_backlog, read_last_delivery, read_refusals
from leads.outbox.stopped import Stopped, read_held
from leads.outbox.store import storage_problem
from leads.privacy.erasure import count_open_rows
from leads.tables import deliveries

# Rows in a call count too, or the alarm would end with each try and ring again after it.
_LOSING = select(func.count()).where(
    deliveries.c.status.in_(("sending", "retrying")), deliveries.c.lost_leases >= LOST_LEASES_ALARM
)


@dataclass(frozen=True, slots=True)
class Overview:
    """What waits, and what stands in its way."""

    read_at: datetime
    destinations: Mapping[str, Destination]  # by name, the CRM first
    last_delivery_at: datetime | None  # to the CRM; None: never
    worker_age: float | None  # seconds since a worker last looked for due rows; None: never
    refusal: tuple[str, float] | None  # the code with which the CRM refused our credentials, and seconds since then
    fields: FieldCheck
    backlog: list[Group]
    refusals: list[Refusal]
    losing: int  # rows whose calls have lost five workers or more
    held: list[Stopped]  # held rows that wait for a person
    erasures_open: int
    storage_error: str | None  # why no enquiry can be stored
    redis_error: str | None  # why Redis does not answer; None: it does, or was not asked

    @property
    def crm(self) -> Destination:
        """Whether calls to the CRM are paused, and how it has answered."""
        return self.destinations[CRM]

    def count(self, *states: str, destination: str = CRM) -> int:
        """How many rows of a destination are in these states, of both kinds."""
        groups = (group for group in self.backlog if group.destination == destination)
        return sum(group.rows for group in groups if group.status in states)

    def since(self, at: datetime | None) -> float:
        """How many seconds before this was read that was; 0 for None."""
        return 0.0 if at is None else max(0.0, (self.read_at - at).total_seconds())

    def waited(self, destination: str = CRM) -> float:
        """How many seconds a destination's oldest row had waited; 0: none did."""
        return max(
            (self.since(group.waits_since) for group in self.backlog if group.destination == destination), default=0
        )


def read_overview(engine: Engine, redis_error: str | None = None) -> Overview:
    """Read it all, in a dozen short statements; what its caller knows of Redis goes with it."""
    with engine.connect() as connection:
        losing = int(connection.execute(_LOSING).scalar_one())
    destinations = read_destinations(engine)
    ages = [each.seen_seconds for each in destinations.values()]
    return Overview(
        read_at=datetime.now(UTC),
        destinations=destinations,
        last_delivery_at=read_last_delivery(engine),
        worker_age=min((age for age in ages if age is not None), default=None),
        refusal=TokenTable(engine).refusal(),
        fields=read_field_check(engine),
        backlog=read_backlog(engine),
        refusals=read_refusals(engine),
        losing=losing,
        held=read_held(engine),
        erasures_open=count_open_rows(engine),
        storage_error=storage_problem(engine) or None,
        redis_error=redis_error,
    )
