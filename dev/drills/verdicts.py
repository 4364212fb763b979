"""Properties 22 and 24: any pattern of partial success, and a token that expires under many threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dev.drills.drill import drill, require

if TYPE_CHECKING:
    from dev.drills.environment import Stage


@drill(
    "22", "One poison record in 100, any pattern of partial success: the rest goes in the same drain", short=False
)
def poison(stage: Stage) -> None:
    """First one in a hundred, then random subsets: refused for good, locked, or with an unknown code."""
    stage.ready_worker(CRM_TICK_SECONDS="0.4")
    stage.sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    patterns = 8 if stage.short else 60
    for number in range(patterns):
        refused = 1 if number == 0 else stage.random.randrange(101)
        _batch(stage, refused)
    dead = stage.count("zoho_status = 'dead'")
    require(dead == len(stage.excused), f"{dead} rows are dead, {len(stage.excused)} were refused")
    calls = stage.sandbox.summary()["api_calls"]
    stage.say(f"{patterns} batches of 100 with 0 to 100 refused rows each: {dead:,} refused, {calls} calls")
    _mixed(stage, patterns)


def _batch(stage: Stage, refused: int) -> None:
    people = [*stage.people(refused, "Poison"), *stage.people(100 - refused)]
    stage.random.shuffle(people)
    ids = stage.store(people)
    stage.excused |= {
        event: "the CRM refused it" for event, person in zip(ids, people, strict=True) if person.word == "Poison"
    }
    left = "SELECT count(*) AS n FROM leads WHERE zoho_status NOT IN ('sent', 'dead') AND id = ANY(%s::uuid[])"
    stage.wait(lambda: stage.rows(left, ids)[0]["n"] == 0, 30, "a batch to be settled in one drain")


def _mixed(stage: Stage, batches: int) -> None:
    """Rows fail at random and are tried again; what the CRM said of each row is what the row's log says."""
    stage.sandbox.only_faults()
    for _ in range(batches):
        share = stage.random.random()
        stage.sandbox.faults(record_locked={"probability": share / 2}, row_error={"probability": share / 2})
        since = len(stage.sandbox.calls(kind="api"))
        ids = stage.store(100)
        stage.wait(lambda ids=ids: _tried(stage, ids) == 100, 30, "a batch to be tried")  # type: ignore[misc]
        told = {
            result["event_id"]: result["action"] is not None
            for call in stage.sandbox.calls(kind="api", offset=since)
            for result in call["row_results"]
        }
        sent = stage.rows("SELECT id::text FROM leads WHERE zoho_status = 'sent' AND id = ANY(%s::uuid[])", ids)
        require(
            {row["id"] for row in sent} == {event for event in ids if told[event]}, "sent rows differ from stored"
        )
        stage.sandbox.only_faults()
        stage.hurry()
        stage.wait_delivered(60)
    stage.say(f"{batches} more batches, rows failing at random with two codes, tried again until delivered")


def _tried(stage: Stage, ids: list[str]) -> int:
    settled = "SELECT count(*) AS n FROM leads WHERE zoho_status IN ('sent', 'retrying') AND id = ANY(%s::uuid[])"
    return int(stage.rows(settled, ids)[0]["n"])


@drill("24", "Token expiry under 8 threads in each of 2 processes: one refresh", short=False)
def expiry(stage: Stage) -> None:
    """Every thread is in a call when all tokens end; the token's table lets one of them mint."""
    stage.sandbox.faults(latency={"ms": 100})
    stage.fleet(2, CRM_CONCURRENCY="8", CRM_BATCH_ROWS="5", DATABASE_POOL="20")
    rounds = 2 if stage.short else 5
    stage.store(200)
    stage.wait_delivered(60)
    for number in range(rounds):
        # The spacing of mints (90 s) is shown in drill 5b; here it has passed already.
        stage.change("UPDATE crm_token SET next_mint_at = now()")
        stage.store(600)
        stage.wait(lambda: stage.sandbox.summary()["in_flight"] >= 6, 30, "six calls in flight", every=0.01)
        minted = len(stage.sandbox.summary()["tokens_minted"])
        stage.sandbox.faults(expire_tokens=True)
        stage.wait_delivered(60)
        new = len(stage.sandbox.summary()["tokens_minted"]) - minted
        require(new == 1, f"round {number + 1}: {new} tokens were minted")
    burnt = stage.rows("SELECT sum(retry_count) AS n FROM leads")[0]["n"]
    require(burnt == 0, f"{burnt} tries were spent on expired tokens")
    refused = len(stage.sandbox.calls(kind="api", code="INVALID_TOKEN"))
    stage.say(f"{rounds} expiries under 16 threads: {refused} calls refused, one mint each, no try spent")
