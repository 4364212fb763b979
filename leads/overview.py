"""The state of the product as operators see it: on the command line, in Flower and in the metrics. Read-only."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from leads.crm_state import FieldCheck, TokenTable, read_field_check
from leads.db import error_name
from leads.destinations import CRM
from leads.lifecycle import LOST_LEASES_ALARM
from leads.outbox.pause import Destination, read_destinations
from leads.outbox.stats import Answers, Group, Refusal, read_answers, read_backlog, read_refusals
from leads.outbox.stopped import Stopped, read_held
from leads.outbox.store import storage_problem
from leads.privacy.erasure import count_late_rows
from leads.tables import deliveries

# Rows in a call count too, or the alarm would end with each try and ring again after it.
_LOSING = select(func.count()).where(
    deliveries.c.status.in_(("sending", "retrying")), deliveries.c.lost_leases >= LOST_LEASES_ALARM
)
NOT_CHECKED = FieldCheck([], None, None)
# Where the stores of Debian, of Compose and of `make run` keep their data, and the product itself.
_DATA_FOLDERS = ("/var/lib/postgresql", "/var/lib/valkey", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What waits, and what stands in its way. Without `is_read` PostgreSQL did not answer."""

    read_at: datetime  # by the database's clock
    is_read: bool = True
    destinations: Mapping[str, Destination] = field(default_factory=dict)  # by name, the CRM first
    answers: Mapping[str, Answers] = field(default_factory=dict)  # by destination
    worker_age: float | None = 0.0  # seconds since a worker last looked for due rows; None: never
    refusal: tuple[str, float] | None = None  # the code with which our credentials were refused, and seconds since
    fields: FieldCheck = NOT_CHECKED
    backlog: list[Group] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    losing: int = 0  # rows whose calls have lost five workers or more
    held: list[Stopped] = field(default_factory=list)  # held rows that wait for a person
    erasures_late: int = 0  # erased rows that the CRM still has after days
    free_bytes: Mapping[str, int] = field(default_factory=dict)  # by folder, of each disk with data
    storage_error: str | None = None  # why no enquiry can be stored
    redis_error: str | None = None  # why Redis takes no task; None: it does, or was not asked

    def answered(self, destination: str = CRM) -> Answers:
        """How calls to a destination ended lately."""
        return self.answers.get(destination, Answers())

    def count(self, *states: str, destination: str = CRM) -> int:
        """How many rows of a destination are in these states, of both kinds."""
        groups = (group for group in self.backlog if group.destination == destination)
        return sum(group.rows for group in groups if group.status in states)

    def total(self, *states: str) -> int:
        """How many rows of all destinations are in these states."""
        return sum(self.count(*states, destination=name) for name in self.destinations)

    def since(self, at: datetime | None) -> float:
        """How many seconds before this was read that was; 0 for None."""
        return 0.0 if at is None else max(0.0, (self.read_at - at).total_seconds())

    def waited(self, destination: str = CRM) -> float:
        """How many seconds a destination's oldest row had waited; 0: none did."""
        return max(
            (self.since(group.waits_since) for group in self.backlog if group.destination == destination), default=0
        )

    def next_try(self, destination: str) -> datetime | None:
        """When a row of a destination is tried next; None: an operator must resume, or none waits."""
        of_it = (group.next_at for group in self.backlog if group.destination == destination)
        due, paused = min(filter(None, of_it), default=None), self.destinations[destination]
        if due is None or paused.reason is None:
            return due
        return None if paused.until_at is None else max(due, paused.until_at)


def read_overview(engine: Engine, data_dir: Path, redis_error: str | None = None) -> Overview:
    """Read it all, in a dozen short statements; what its caller knows of Redis goes with it."""
    try:
        with engine.connect() as connection:
            losing = int(connection.execute(_LOSING).scalar_one())
            read_at = connection.execute(select(func.clock_timestamp())).scalar_one()
        destinations = read_destinations(engine)
        ages = [each.seen_seconds for each in destinations.values()]
        return Overview(
            read_at=read_at,
            destinations=destinations,
            answers=read_answers(engine),
            worker_age=min((age for age in ages if age is not None), default=None),
            refusal=TokenTable(engine).refusal(),
            fields=read_field_check(engine),
            backlog=read_backlog(engine),
            refusals=read_refusals(engine),
            losing=losing,
            held=read_held(engine),
            erasures_late=count_late_rows(engine),
            free_bytes=read_free_bytes(data_dir),
            storage_error=storage_problem(engine) or None,
            redis_error=redis_error,
        )
    except SQLAlchemyError as error:
        return without_database(error, data_dir, redis_error)


def without_database(error: Exception, data_dir: Path, redis_error: str | None) -> Overview:
    """Return what is known while PostgreSQL does not answer, or lacks what this code reads."""
    does = "refuses" if isinstance(error, ProgrammingError) else "does not answer"
    return Overview(
        read_at=datetime.now(UTC),
        is_read=False,
        free_bytes=read_free_bytes(data_dir),
        storage_error=f"PostgreSQL {does}: {error_name(error)}",
        redis_error=redis_error,
    )


def read_free_bytes(data_dir: Path) -> dict[str, int]:
    """Return the free bytes of each disk on which data may lie, by the first of its folders that is here."""
    free: dict[int, tuple[str, int]] = {}
    for folder in (str(data_dir), *_DATA_FOLDERS):
        path = Path(folder).absolute()
        if path.is_dir():
            free.setdefault(path.stat().st_dev, (str(path), shutil.disk_usage(path).free))
    return dict(free.values())
