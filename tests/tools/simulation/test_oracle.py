"""Each invariant of a row's changes is broken by a history that breaks it, and by no other."""

from uuid import UUID

import pytest

from tools.simulation.oracle import Oracle
from tools.simulation.scheduler import SECOND, Scheduler
from tools.simulation.server import Change
from tools.simulation.stand_ins import moment

ROW = UUID(int=1)
LEASE, DAY = 60, 86_400


def at(seconds):
    return moment(int(seconds * SECOND))


def change(now, actor, old, new, due, **more):
    """`old`, `new`: the status before and after. `due`: the time that the row is due before and after."""
    values = {"lost": 0, "tries": 0, "error": None, "record": None, "is_paused": False, "surname": "Example"} | more
    op = "UPDATE" if new else "DELETE"
    return Change(actor, at(now), "lead", op, ROW, old, new, at(due[0]), at(due[1]), **values)


STORED = Change(
    "site", at(0), "lead", "INSERT", ROW, None, "pending", None, at(0), 0, 0, None, None, False, "Example"
)
CLAIMED = change(1, "w1.1|claim", "pending", "sending", (0, 1 + LEASE))
SENT = change(2, "w1.1|settle", "sending", "sent", (1 + LEASE, 1 + LEASE))


def violations(*changes):
    oracle = Oracle(Scheduler(1))
    for one in (STORED, *changes):
        oracle.on_change(one)
    return [violation.partition(":")[0] for violation in oracle.violations]


@pytest.mark.parametrize(
    "changes",
    [
        [CLAIMED, SENT],
        [CLAIMED, change(2, "w1.1|settle", "sending", "retrying", (61, 12))],
        [CLAIMED, change(62, "w2.1|claim", "sending", "sending", (61, 62 + 2 * LEASE), lost=1)],
        [CLAIMED, SENT, change(3, "operator 1|delete rows", "sent", None, (61, 61))],
    ],
    ids=["sent", "failed", "lost", "erased"],
)
def test_a_sound_history_holds(changes):
    assert violations(*changes) == []


@pytest.mark.parametrize(
    ("broken", "changes"),
    [
        ("success is monotone", [CLAIMED, SENT, change(3, "w2.1|settle", "sent", "retrying", (61, 13))]),
        (
            "no claim before its time",
            [CLAIMED, change(2, "w2.1|claim", "sending", "sending", (61, 2 + 2 * LEASE), lost=1)],
        ),
        ("no claim before its time", [change(1, "w1.1|claim", "pending", "sending", (5, 61))]),
        ("no claim in a pause", [change(1, "w1.1|claim", "pending", "sending", (0, 61), is_paused=True)]),
        ("only waiting rows are claimed", [change(1, "w1.1|claim", "dead", "sending", (0, 61))]),
        ("the lease doubles with each lost one", [change(1, "w1.1|claim", "pending", "sending", (0, 91))]),
        (
            "each lost lease is counted",
            [CLAIMED, change(62, "w2.1|claim", "sending", "sending", (61, 62 + LEASE), lost=0)],
        ),
        (
            "a lease is ended by its holder",
            [CLAIMED, change(2, "w2.1|settle", "sending", "retrying", (61, 12))],
        ),
        (
            "no innocent row dies",
            [CLAIMED, change(2, "w1.1|settle", "sending", "dead", (61, 61), error="HTTP_500")],
        ),
        ("nothing lost", [change(1, "w1.1|delete rows", "pending", None, (0, 0))]),
        (
            "what is owed is due at some time",
            [CLAIMED, change(2, "w1.1|settle", "sending", "retrying", (61, 2 * DAY))],
        ),
    ],
)
def test_a_broken_history_is_seen(broken, changes):
    assert violations(*changes) == [broken]
