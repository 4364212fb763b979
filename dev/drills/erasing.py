"""Property 27: an erasure while rows are pending, in flight, waiting or sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dev.drills.drill import drill, require
from dev.drills.operating import operate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dev.drills.environment import Stage
    from dev.drills.fixtures import Person
    from dev.drills.site import Site

REFUSED = 409


@drill("27", "Erasure while pending or in flight: nothing sent afterwards, what was sent is deleted, provable")
def erase(stage: Stage) -> None:
    """People in each state are erased by their address; in the end the CRM holds the others alone.

    Those in flight came over HTTP, and their browsers repeat the press after the erasure.
    """
    stage.environment["ERASURE_KEY"] = "a key for drills alone, 32 characters and more"
    each = 2 if stage.short else 5
    people = {state: stage.people(each) for state in ("in flight", "sent", "retrying", "pending")}
    stage.store(20)  # others, who stay
    sent = stage.store(people["sent"])
    site = stage.site()
    worker = stage.ready_worker()
    stage.wait_delivered(30)
    stage.sandbox.faults(latency={"ms": 1500, "count": 1, "path": "upsert"})
    flying = _press(stage, site, people["in flight"])
    stage.wait(lambda: stage.sandbox.summary()["in_flight"] > 0, 30, "a call in flight", every=0.01)
    waiting = stage.store([*people["retrying"], *people["pending"]])
    stage.change(
        "UPDATE leads SET zoho_status = 'retrying', retry_count = 1, next_retry_at = now() + interval '5 s'"
        " WHERE surname = ANY(%s)",
        [person.surname for person in people["retrying"]],
    )
    stage.excused |= dict.fromkeys([*sent, *flying, *waiting], "erased")
    for group in people.values():
        for person in group:
            operate(stage, "erase", "--email", person.email, "--by", "ann")
    stage.sandbox.faults(latency=False)
    repeats = [site.post(person, key=person.email).status for person in people["in flight"]]
    require(set(repeats) == {REFUSED}, f"repeats of an erased press were answered {repeats}")
    _gone(stage, 4 * each)
    require(worker.alive(), "the worker died")


def _press(stage: Stage, site: Site, people: Sequence[Person]) -> list[str]:
    """Enquiries as browsers send them, each press with its key; gives their event ids."""
    ids = []
    for person in people:
        answer = site.post(person, key=person.email)
        require(answer.accepted, f"a post was answered {answer.status}")
        stage.accepted[answer.body["id"]] = person.fields(answer.body["reference"])
        ids.append(answer.body["id"])
    return ids


def _gone(stage: Stage, people: int) -> None:
    kept = "SELECT count(*) AS n FROM leads WHERE id = ANY(%s::uuid[])"
    require(stage.rows(kept, list(stage.excused))[0]["n"] == 0, "an erased row is still in the database")
    stage.change("UPDATE erased_rows SET watch_until = now() + interval '8 s', check_at = now()")
    open_ends = "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NULL"
    stage.wait(lambda: stage.rows(open_ends)[0]["n"] == 0, 120, "every erasure to be done in the CRM", every=0.5)
    stage.pause(3)
    (proof,) = stage.rows("SELECT count(*) AS n, sum(records_deleted) AS deleted FROM erased_rows")
    require(proof["n"] == people, f"{proof['n']} erased rows are on record, not {people}")
    require(not stage.records_of(list(stage.excused)), "an erased person is in the CRM")
    calls = [call for call in stage.sandbox.calls(kind="api") if call["method"] == "DELETE" and call["committed"]]
    stage.figure("records deleted in the CRM", float(proof["deleted"]))
    stage.say(f"{people} people erased: sent, in flight, waiting and pending; {len(calls)} deletions in the ledger")
