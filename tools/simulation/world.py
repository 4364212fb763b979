"""What the parts of a run share: the clock, the product's processes, the CRM, what was drawn, what is noted."""

import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from tools.simulation import mail
from tools.simulation.crm import WEBHOOK, SimulatedCrm
from tools.simulation.database import SimulatedDatabase
from tools.simulation.mail import SimulatedMail
from tools.simulation.oracle import REFUSED, Oracle
from tools.simulation.people import People
from tools.simulation.scheduler import SECOND, Scheduler
from tools.simulation.stand_ins import moment
from tools.simulation.workers import Broker, WorkerPool

MINUTE, HOUR = 60.0, 3600.0


@dataclass(frozen=True, slots=True)
class DrawnSettings:
    """How the product is set up in this run."""

    workers: int
    threads: int
    tick: float
    skews: tuple[float, ...]
    limits: dict[str, object]
    more: Mapping[str, str] = field(default_factory=dict)  # of the product, by their names
    leaves_out: bool = False  # ticks that would find nothing

    @classmethod
    def draw(cls, scheduler: Scheduler, *, is_plain: bool = False) -> "DrawnSettings":
        """Draw them. `is_plain`: nobody but the CRM gets something."""
        chance = scheduler.random
        limits: dict[str, object] = {
            "email_unique": chance.random() < 0.3,
            "search_lag_s": chance.choice((0, 0, 5, 60)),
        }
        skews = tuple(chance.choice((0.0, 0.0, 3600.0, -3600.0)) for _ in range(3))
        workers, threads = chance.randint(2, 4), chance.randint(1, 3)
        drawn = cls(workers, threads, chance.choice((5.0, 15.0, 15.0)), skews, limits, leaves_out=True)
        if is_plain:
            return drawn
        return replace(drawn, more={**chance.choice((WEBHOOK, {}, {})), **chance.choice((mail.SETTINGS, {}, {}))})


class World:
    """The state of one run, and the simple things that can happen to it. `run.py` puts its parts in."""

    database: SimulatedDatabase
    crm: SimulatedCrm
    mail: SimulatedMail
    broker: Broker
    pool: WorkerPool
    people: People

    def __init__(self, seed: int, settings: Callable[[Scheduler], DrawnSettings], *, traced: bool = False) -> None:
        self.seed, self._traced = seed, traced
        self.scheduler = Scheduler(seed)
        self.settings_drawn = settings(self.scheduler)
        self.oracle = Oracle(self.scheduler)
        self.schedule: list[str] = []
        self.planned: list[str] = []
        self.digest = 0
        self.rates: Counter[str] = Counter()  # the chances of faults at each step, of all troubles that are on
        self._troubles: list[Mapping[str, float]] = []
        self.vain_rounds = 0
        self.awake_until = 0  # no tick before it is skipped
        self.killed_at = -math.inf  # a worker, by its row
        self.is_quiet = False
        self.is_ending = False
        self.is_over = False

    def note(self, line: str) -> None:
        """Write a line of the schedule."""
        self.digest = zlib.crc32(line.encode(), zlib.crc32(str(self.scheduler.now).encode(), self.digest))
        if self._traced:
            at = moment(self.scheduler.now)
            days = self.scheduler.now // (86_400 * SECOND)
            self.schedule.append(f"{self.scheduler.steps:7} day {days:2} {at:%H:%M:%S.%f}  {line}")

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        """Put an action into the scheduler's queue."""
        self.scheduler.at(int(seconds * SECOND), action)

    def wake(self, seconds: float) -> None:
        """Skip no tick for so long, though nothing is due to be sent."""
        self.awake_until = self.scheduler.now + int(seconds * SECOND)

    def chance(self, probability: float) -> bool:
        """Draw once."""
        return self.scheduler.random.random() < probability

    def add_rates(self, rates: Mapping[str, float]) -> None:
        """A trouble with these chances of faults begins."""
        self._set_troubles([*self._troubles, rates])

    def remove_rates(self, rates: Mapping[str, float]) -> None:
        """It ends, if it has not ended with all others."""
        if rates in self._troubles:
            self._troubles.remove(rates)
            self._set_troubles(self._troubles)

    def clear_rates(self) -> None:
        """All troubles end."""
        self._set_troubles([])

    def _set_troubles(self, troubles: list[Mapping[str, float]]) -> None:
        self._troubles, self.rates = troubles, Counter()
        for rates in troubles:
            self.rates.update(rates)

    def deploy(self) -> None:
        """The next version's migration is made; its processes start beside the old workers, which stop later."""
        self.database.migrate()
        self.people.replace_sites()
        for _ in range(self.pool.wanted):
            self.pool.start()

    def restore_workers(self) -> None:
        """As many workers run as the product was set up with."""
        self.pool.set_wanted(self.settings_drawn.workers)

    def set_credits(self, remaining: int) -> None:
        """The CRM's credits of the day are so many."""
        self.crm.sandbox.change({"limits": {"credits_remaining": remaining}})

    def set_broker(self, *, up: bool) -> None:
        """Redis goes, with its tasks, or comes back."""
        self.broker.is_up = up
        self.broker.tasks.clear()
        self.broker.thaw()

    def calm_sandbox(self) -> None:
        """End every fault of the CRM; until the end of the run it still refuses poison."""
        refuse = {"reject_word": {"word": REFUSED, "field": "Last_Name"}} if not self.is_ending else {}
        self.crm.sandbox.change({**refuse, "limits": self.settings_drawn.limits}, replace=True)
