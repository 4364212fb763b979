"""What happens to a run from outside, drawn from its seed: chapters of trouble, quiet windows, and a calm end.

A chapter has some troubles that overlap, each from seconds to days long, and visitors in the midst of them.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from tools.sandbox import staff
from tools.simulation.checks import Checks
from tools.simulation.crm import MAX_LATE_SECONDS
from tools.simulation.people import PERSONS
from tools.simulation.scheduler import SECOND
from tools.simulation.world import HOUR, MINUTE, World

CHAPTERS = (1, 3)
TROUBLES = (1, 4)
BURSTS, BURSTS_OF_TROUBLE = (1, 4), 3
# Troubles of a chapter begin within this time, and most visitors come in as much after a trouble's begin.
OVERLAP_SECONDS = 15 * MINUTE
ERASURES_OF_CHAPTER = 0.5
SALES_OF_CHAPTER = (0, 0, 2, 6)
SALES_ACTIONS = ("convert", "change", "delete", "delete and restore", "merge")
LATER_SECONDS = (MINUTE, 2 * HOUR)
QUIET_SECONDS = HOUR
QUIET_SHARE = 0.6
TRICKLE_SECONDS = 10 * MINUTE
CHECK_SECONDS = 5 * MINUTE
# In a quiet window the longest wait that the CRM asked for (15 min and a tenth) is over by then.
SETTLED_SECONDS = 25 * MINUTE
LONG_SECONDS, LONG_SHARE, AFTERSHOCK_SHARE = 20 * HOUR, 0.35, 0.6
AFTERSHOCKS = ("calls fail with 5xx", "rows are locked", "rows answer odd codes", "replies are lost", "workers die")
PLENTY = 4_900_000


class Trouble(NamedTuple):
    """One kind of trouble: how long it may last, and what it sets.

    `rates`: chances of each step. `faults` and `limits`: the sandbox's, drawn anew each time. `begin`, `end`: more.
    """

    name: str
    seconds: tuple[float, float]
    rates: dict[str, float] = {}  # noqa: RUF012 - never changed
    faults: Callable[[Random], dict[str, Any]] | None = None
    begin: Callable[[World], None] | None = None
    end: Callable[[World], None] | None = None


def _fault(name: str, **ranges: Any) -> Callable[[Random], dict[str, Any]]:
    """Draw a fault of the sandbox: a parameter is a value, or a list to choose from."""

    def draw(chance: Random) -> dict[str, Any]:
        values = {key: chance.choice(value) if isinstance(value, list) else value for key, value in ranges.items()}
        return {name: values}

    return draw


SOME = [0.2, 0.5, 0.9]
TROUBLES_KNOWN = (
    Trouble("the CRM is unreachable", (20, 80 * HOUR), {"connect": 1.0}),
    Trouble("the CRM closes every connection", (20, 80 * HOUR), faults=_fault("outage")),
    Trouble("calls fail with 5xx", (10, 6 * HOUR), faults=_fault(
        "server_error", status=[500, 502, 503, 504], probability=[0.2, 0.5, 1.0], path="/crm/")),
    Trouble("one call fails with 500", (1, HOUR), faults=_fault("server_error", status=500, count=1, path="/crm/")),
    Trouble("too many calls", (10, 20 * MINUTE), faults=_fault(
        "too_many_requests", cause="concurrency", body=["a", "b"], probability=SOME,
        retry_after=[None, "5", "120", "600", "soon"])),
    Trouble("credits are spent", (MINUTE, 30 * HOUR), begin=lambda world: world.set_credits(0),
            end=lambda world: world.set_credits(PLENTY)),
    Trouble("tokens expire", (1, HOUR), faults=_fault("expire_tokens", count=[1, 3], path="/crm/")),
    Trouble("the refresh token is revoked", (10 * MINUTE, 80 * HOUR), faults=_fault("token_refused"),
            begin=lambda world: world.crm.sandbox.tokens.expire_all()),
    Trouble("mints are throttled", (MINUTE, HOUR), faults=_fault("token_throttled"),
            begin=lambda world: world.crm.sandbox.tokens.expire_all()),
    Trouble("mints fail", (MINUTE, HOUR), faults=_fault("token_error", status=[500, 503]),
            begin=lambda world: world.crm.sandbox.tokens.expire_all()),
    Trouble("the scope is missing", (MINUTE, 8 * HOUR), faults=_fault("scope_mismatch")),
    Trouble("calls hang", (30, HOUR), faults=_fault("hang", commit=[True, False], probability=SOME, path="/crm/")),
    Trouble("replies are cut", (30, HOUR), faults=_fault("commit_then_cut", probability=SOME)),
    Trouble("replies drip", (30, HOUR), faults=_fault("drip", probability=SOME)),
    Trouble("replies contradict themselves", (30, HOUR), {"contradiction": 0.5}),
    Trouble("replies are lost", (30, 3 * HOUR), {"reply": 0.3},
            faults=_fault("commit_then_drop", probability=SOME)),
    Trouble("errors after the commit", (30, HOUR), faults=_fault("commit_then_error", probability=SOME)),
    Trouble("calls commit late", (30, HOUR), faults=_fault(
        "late_commit", seconds=[1.0, 20.0, 70.0], probability=SOME, path="upsert")),
    Trouble("the network is slow and loses calls", (30, 3 * HOUR), {"request": 0.15, "reply": 0.15, "slow": 0.3}),
    Trouble("upserts race", (MINUTE, 3 * HOUR), faults=_fault("upsert_race", ms=[100, 5000])),
    Trouble("rows are locked", (MINUTE, 12 * HOUR), faults=_fault("record_locked", probability=SOME)),
    Trouble("rows answer odd codes", (MINUTE, 3 * HOUR), faults=_fault("row_error", probability=[0.2, 0.5])),
    Trouble("a row breaks its calls", (MINUTE, 80 * HOUR), faults=_fault("fatal_row", marker="fatal")),
    Trouble("the CRM is slow", (MINUTE, 3 * HOUR), faults=_fault(
        "latency", ms=[300, 3000], jitter_ms=[100, 20_000])),
    Trouble("statements are lost", (10, HOUR), {"statement": 0.05, "answer": 0.05}),
    Trouble("the database restarts", (1, 30), {"statement": 0.5},
            begin=lambda world: world.database.cut_sessions()),
    Trouble("the database is away", (10, 10 * MINUTE), {"statement": 1.0},
            begin=lambda world: world.database.cut_sessions()),
    Trouble("the database stands still", (1, 10 * MINUTE), begin=lambda world: world.database.stand_still(),
            end=lambda world: world.database.go_on()),
    Trouble("workers die", (MINUTE, 3 * HOUR), {"kill": 0.02}),
    Trouble("crash loop", (2 * MINUTE, 3 * HOUR), {"loop": 0.7}),
    Trouble("workers freeze", (MINUTE, 3 * HOUR), {"freeze": 0.02}),
    Trouble("no worker runs", (5 * MINUTE, 80 * HOUR),
            begin=lambda world: world.pool.set_wanted(0, kill=world.chance(0.5)),
            end=World.restore_workers),
    Trouble("rolling restart", (10, 2 * MINUTE), begin=lambda world: world.pool.set_wanted(1),
            end=World.restore_workers),
    Trouble("a deployment", (10, 20 * MINUTE), begin=World.deploy,
            end=World.restore_workers),
    Trouble("Redis is away", (MINUTE, 12 * HOUR), begin=lambda world: world.set_broker(up=False),
            end=lambda world: world.set_broker(up=True)),
    Trouble("Redis is frozen", (1, HOUR), begin=lambda world: world.broker.freeze(),
            end=lambda world: world.broker.thaw()),
    Trouble("Redis is flushed", (1, HOUR), begin=lambda world: world.broker.tasks.clear()),
    Trouble("the webhook is away", (MINUTE, 12 * HOUR), {"webhook": 1.0}),
    Trouble("the webhook drips", (MINUTE, 12 * HOUR), {"webhook drips": 0.8}),
    Trouble("the mail server refuses", (MINUTE, 12 * HOUR), {"mail": 0.8}),
    Trouble("the mail server hangs", (MINUTE, 12 * HOUR), {"mail hangs": 0.5}),
    Trouble("records wait for approval", (MINUTE, 12 * HOUR), faults=_fault("under_approval", probability=SOME)),
    Trouble("records are in a blueprint", (MINUTE, 12 * HOUR), faults=_fault(
        "in_blueprint", field=["Description", "Treatment_Interest"])),
    Trouble("a field is mandatory", (MINUTE, 12 * HOUR), faults=_fault("mandatory_field", field="Industry")),
    Trouble("paused by hand", (MINUTE, 80 * HOUR), begin=lambda world: world.people.pause(),
            end=lambda world: world.people.resume()),
    Trouble("dead rows are redriven", (1, MINUTE), begin=lambda world: world.people.redrive_all()),
)  # fmt: skip
# Every chapter has one of these all the time: something is always a little wrong.
BACKGROUND = (
    Trouble("all else is well", (0, 0)),
    Trouble("now and then a worker dies", (0, 0), {"kill": 0.002}),
    Trouble("now and then a worker freezes", (0, 0), {"freeze": 0.002}),
    Trouble("now and then a statement is lost", (0, 0), {"statement": 0.002, "answer": 0.002}),
    Trouble("now and then a message is lost", (0, 0), {"request": 0.02, "reply": 0.02, "slow": 0.05}),
)


class Scenario:
    """What happens to a world: drawn at the start, then carried out trouble by trouble."""

    def __init__(self, world: World, checks: Checks, only: Sequence[str] = ()) -> None:
        self._world, self._checks, self._chance = world, checks, world.scheduler.random
        self._only = only
        self._troubles = [trouble for trouble in TROUBLES_KNOWN if not only or trouble.name in only]

    def plan(self) -> None:
        """Draw the whole run, and put it into the scheduler's queue."""
        self._world.people.is_plain = bool(self._only)
        time = 60.0
        for _ in range(self._chance.randint(*CHAPTERS)):
            time = self._chapter(time)
            if self._chance.random() < QUIET_SHARE:
                time = self._quiet(time)
        self._world.at(time, self._begin_end)

    def _chapter(self, start: float) -> float:
        world, chance, end = self._world, self._chance, start
        world.planned.append(f"{start:10.0f} s  a chapter")
        for _ in range(chance.randint(*TROUBLES)):
            trouble = chance.choice(self._troubles)
            begins, lasts = start + chance.random() * OVERLAP_SECONDS, _draw_length(chance, trouble)
            end = max(end, self._trouble(trouble, begins, lasts))
            if lasts > LONG_SECONDS and chance.random() < AFTERSHOCK_SHARE:
                # What a long trouble left behind meets the next one.
                again = chance.choice([trouble for trouble in TROUBLES_KNOWN if trouble.name in AFTERSHOCKS])
                end = max(end, self._trouble(again, begins + lasts - 10, chance.uniform(MINUTE, HOUR)))
        self._trouble(chance.choice(BACKGROUND), start, end - start)
        for _ in range(chance.randint(*BURSTS)):
            self._burst(start + chance.random() * (end - start))
        if chance.random() < ERASURES_OF_CHAPTER:
            for person in chance.sample(range(PERSONS), 4):
                span = min(end - start, chance.choice((OVERLAP_SECONDS, math.inf)))
                world.at(start + chance.random() * span, partial(world.people.erase, person))
        for _ in range(0 if world.people.is_plain else chance.choice(SALES_OF_CHAPTER)):
            world.at(start + chance.random() * (end - start), partial(_sell, world))
        return end + chance.random() * MINUTE

    def _trouble(self, trouble: Trouble, begins: float, lasts: float) -> float:
        self._world.planned.append(f"{begins:10.0f} s  {trouble.name}, for {lasts:.0f} s")
        self._world.at(begins, lambda: self._begin(trouble))
        self._world.at(begins + lasts, lambda: self._end(trouble))
        for _ in range(self._chance.randint(0, BURSTS_OF_TROUBLE)):
            self._burst(begins + self._chance.random() * min(lasts, OVERLAP_SECONDS))
        return begins + lasts

    def _burst(self, at: float) -> None:
        size = self._chance.choice((1, 2, 4, 10))
        for _ in range(size):
            self._world.at(at + self._chance.random(), self._world.people.visit)

    def _quiet(self, start: float) -> float:
        """An hour without trouble and with a lead every ten minutes."""
        self._world.at(start, self._begin_quiet)
        self._trickle(start)
        self._world.at(start + QUIET_SECONDS, self._end_quiet)
        return start + QUIET_SECONDS + 1

    def _trickle(self, start: float) -> None:
        """A plain lead every ten minutes, and the checks of a quiet time once all waits are over."""
        for number in range(int(QUIET_SECONDS / TRICKLE_SECONDS)):
            self._world.at(start + MINUTE + number * TRICKLE_SECONDS, partial(self._world.people.visit, plain=True))
        for number in range(int((QUIET_SECONDS - SETTLED_SECONDS) / CHECK_SECONDS)):
            self._world.at(start + SETTLED_SECONDS + number * CHECK_SECONDS, self._checks.check_flow)

    # When its time has come -------------------------------------------------------------------------------------

    def _begin(self, trouble: Trouble) -> None:
        world = self._world
        world.note(f"-- {trouble.name}")
        world.vain_rounds = 0
        world.add_rates(trouble.rates)
        if trouble.faults is not None:
            world.crm.sandbox.change(trouble.faults(self._chance))
        if trouble.begin is not None:
            trouble.begin(world)

    def _end(self, trouble: Trouble) -> None:
        world = self._world
        world.note(f"-- over: {trouble.name}")
        world.vain_rounds = 0
        world.remove_rates(trouble.rates)
        if trouble.faults is not None:
            world.crm.sandbox.change(dict.fromkeys(trouble.faults(self._chance)))
        if trouble.end is not None:
            trouble.end(world)

    def _begin_quiet(self) -> None:
        world = self._world
        world.note("== quiet")
        world.is_quiet = True
        world.clear_rates()
        world.calm_sandbox()
        world.database.go_on()
        world.set_broker(up=True)
        world.restore_workers()
        self._checks.expect_delivery()

    def _end_quiet(self) -> None:
        self._world.is_quiet = False

    def _begin_end(self) -> None:
        """The calm end begins: no more faults, and killers no longer kill."""
        self._world.is_ending = True
        self._begin_quiet()
        self._world.people.resume()
        self._trickle(self._world.scheduler.now / SECOND)
        self._checks.begin_end()


def _draw_length(chance: Random, trouble: Trouble) -> float:
    """Seconds are as likely as days; but the longest are likelier."""
    shortest, longest = trouble.seconds
    if longest > LONG_SECONDS and chance.random() < LONG_SHARE:
        return longest * chance.uniform(0.91, 1.0)
    return math.exp(chance.uniform(math.log(shortest), math.log(longest)))


def _sell(world: World) -> None:
    """Somebody converts, changes, deletes or merges a record that no lost call can still write."""
    chance, handled = world.scheduler.random, world.oracle.handled
    settled = world.scheduler.now - int(MAX_LATE_SECONDS * SECOND)
    rows = world.oracle.rows.items()
    free = sorted(
        (event for event, row in rows if row.status == "sent" and row.changed < settled and event not in handled),
        key=str,
    )
    found = {event: records[0] for event in free if (records := world.crm.records_of(event))}
    if len(found) < 2:
        return
    event, other = chance.sample(sorted(found, key=str), 2)
    action = chance.choice(SALES_ACTIONS)
    word, _, then = action.partition(" and ")
    wanted: dict[str, Any] = {
        "change": {"Lead_Status": "Contacted"}, "merge": {"into": str(found[other])},
    }.get(word, {})  # fmt: skip
    if not staff.act(world.crm.sandbox, found[event], word, wanted):
        return
    handled[event] = word
    if word == "merge":
        handled[other] = "change"
    world.note(f"sales: {action} {event}")
    if then:
        world.scheduler.after(chance.uniform(*LATER_SECONDS), lambda: _restore(world, event, found[event]))


def _restore(world: World, event: UUID, record: int) -> None:
    """Out of the recycle bin, unless an erasure has emptied it."""
    if staff.act(world.crm.sandbox, record, "restore", {}):
        world.oracle.handled[event] = "restore"
        world.note(f"sales: restore {event}")
