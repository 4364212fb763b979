"""Properties 26 to 29 and 42: an operator redrives, erases, pauses and resumes; deployments with migrations."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from psycopg.sql import SQL

from dev.next_migration import make_up
from dev.servers.server_process import ROOT
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import Load
from proofs.harness.case import require
from proofs.harness.outbox import NO_FIELD_CHECK
from proofs.harness.person import Person
from proofs.harness.product import migrate
from proofs.harness.site import Site

GIVE_UP = (
    "zoho_status = 'dead', retry_count = 3, last_error = %s, last_retry_at = now() - make_interval(hours => %s)"
)
# An additive migration of a table under writes: a column, then an index built without blocking them.
MIGRATION = (
    "ALTER TABLE leads ADD COLUMN drill_note varchar(40)",
    "CREATE INDEX CONCURRENTLY ix_drill_note ON leads (drill_note)",
)

# A million leads of the past, sent long ago.
OLD_ROWS = """
WITH old AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, n, now() - make_interval(mins => n) AS at FROM generate_series(1, {}) AS n
), stored AS (
    INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, message, utm_source, ip_address,
        created_at)
    SELECT id, 'Ada', 'Old' || n, 'old' || n || '@example.com', '+44', '07400000000', '+447400000000',
        repeat('Question ', 20), 'drill', '192.0.2.1', at FROM old
)
INSERT INTO crm_deliveries (id, kind, zoho_status, zoho_sent_at, zoho_record_id, queued_at, next_retry_at)
SELECT id, 'lead', 'sent', at, n::text, at, at FROM old
"""
# What a next release may bring: a column, and an index of a table that is written to.
NEXT_RELEASE = (
    'op.add_column("leads", sa.Column("made_up", sa.Text()))',
    'index_concurrently("ix_made_up", "leads", ["surname"], postgresql_where=sa.text("made_up IS NOT NULL"))',
)

REFUSED = 409  # the submission of an erased person


def command(*words: str) -> list[str]:
    """The operator's command line."""
    return [sys.executable, "-m", "worker", *words]


def operate(env: DrillEnvironment, *words: str) -> str:
    """Run an operator's command to its end; returns its output."""
    environment = {**env.variables, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command(*words), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    require(done.returncode == 0, f"`{' '.join(words)}` ended with {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


@drill("26", "Redrive by time, class and source: resumable, and a second run changes nothing")
def redrive(env: DrillEnvironment) -> None:
    """Dead rows of two codes, two sources and two ages; the command is killed in the middle and run again."""
    each = 2_500 if env.short else 12_500
    piles = {
        ("INVALID_DATA", "google", 1): True,
        ("INVALID_DATA", "google", 80): False,
        ("INVALID_DATA", "bing", 1): False,
        ("RECORD_LOCKED", "google", 1): False,
    }
    for (code, source, hours), chosen in piles.items():
        for _ in range(each // 500):
            ids = env.store(500)
            env.change("UPDATE leads SET utm_source = %s WHERE id = ANY(%s::uuid[])", source, ids)
            env.arrange(GIVE_UP, "id = ANY(%s::uuid[])", f"{code}: Email", hours, ids)
            if not chosen:
                env.excused |= dict.fromkeys(ids, "it was not selected")
    env.sandbox.faults(latency={"ms": 100})
    env.ready_worker(CRM_BATCH_ROWS="20" if env.short else "100")
    words = ("redrive", "--since", "24h", "--code", "INVALID_DATA", "--source", "google", "--by", "ann")
    _interrupted(env, words, each)
    operate(env, *words)
    moved = env.rows("SELECT count(*) AS n, count(DISTINCT row_id) AS d FROM crm_attempts WHERE event = 'redriven'")
    require(moved[0] == {"n": each, "d": each}, f"{moved[0]['n']} rows were moved, {each} were selected")
    require(operate(env, *words).startswith("0 rows"), "the same command moved rows again")
    env.wait_delivered(300)
    if not env.short:  # then all the others, 37,500 at once
        env.excused.clear()
        operate(env, "redrive", "--all", "--by", "ann")
        env.figure("all others delivered in", env.wait_delivered(400), "s")
    env.note(
        f"{4 * each:,} dead rows, {each:,} chosen by time, code and source; killed once, run again, then twice"
    )


def _interrupted(env: DrillEnvironment, words: tuple[str, ...], limit: int) -> None:
    """Start the command and end it by kill -9 as soon as it has moved a row."""
    running = subprocess.Popen(
        command(*words),
        cwd=ROOT,
        env={**env.variables, "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    moved = "SELECT count(*) AS n FROM crm_attempts WHERE event = 'redriven'"
    env.wait(lambda: env.rows(moved)[0]["n"] > 0 or running.poll() is not None, 60, "the first step", every=0.01)
    running.kill()
    running.wait()
    env.figure("moved before kill -9", env.rows(moved)[0]["n"])
    require(env.rows(moved)[0]["n"] <= limit, "more rows were moved than selected")


@drill("27", "Erasure while pending or in flight: nothing sent afterwards, what was sent is deleted, provable")
def erase(env: DrillEnvironment) -> None:
    """People in each state are erased by their address; in the end the CRM holds only the others.

    Those in flight came over HTTP, and their browsers repeat the submission after the erasure.
    """
    env.variables["ERASURE_KEY"] = "a key for drills alone, 32 characters and more"
    each = 2 if env.short else 5
    people = {state: env.people(each) for state in ("in flight", "sent", "retrying", "pending")}
    env.store(20)  # others, who are not erased
    sent = env.store(people["sent"])
    site = env.site()
    worker = env.ready_worker(CRM_BATCH_ROWS="5")
    env.wait_delivered(30)
    env.sandbox.faults(latency={"ms": 1500, "count": 2, "path": "upsert"})
    flying = _submit(env, site, people["in flight"][:1])
    env.wait(lambda: env.sandbox.summary()["in_flight"] > 0, 30, "a call in flight", every=0.01)
    flying += _submit(env, site, people["in flight"][1:])
    env.wait(lambda: env.sandbox.summary()["in_flight"] > 1, 30, "two calls in flight", every=0.01)
    waiting = env.store([*people["retrying"], *people["pending"]])
    env.arrange(
        "zoho_status = 'retrying', retry_count = 1, next_retry_at = now() + interval '5 s'",
        "id = ANY(%s::uuid[])",
        waiting[:each],
    )
    env.excused |= dict.fromkeys([*sent, *flying, *waiting], "erased")
    for group in people.values():
        for person in group:
            operate(env, "erase", "--email", person.email, "--by", "ann")
    env.sandbox.faults(latency=False)
    site.close()  # the erasures took seconds: by now the site may have closed an idle connection
    repeats = [site.post(person, key=person.email).status for person in people["in flight"]]
    require(set(repeats) == {REFUSED}, f"repeats of an erased submission got {repeats}")
    _gone(env, 4 * each)
    require(worker.alive(), "the worker died")


def _submit(env: DrillEnvironment, site: Site, people: Sequence[Person]) -> list[str]:
    """Post enquiries as browsers do, each with its idempotency key; returns their event ids."""
    ids = []
    for person in people:
        answer = site.post(person, key=person.email)
        require(answer.accepted, f"a post got {answer.status}")
        env.accepted[answer.body["id"]] = person.fields(answer.body["reference"])
        ids.append(answer.body["id"])
    return ids


def _gone(env: DrillEnvironment, people: int) -> None:
    kept = "SELECT count(*) AS n FROM leads WHERE id = ANY(%s::uuid[])"
    require(env.rows(kept, list(env.excused))[0]["n"] == 0, "an erased row is still in the database")
    env.change("UPDATE erased_rows SET watch_until = now() + interval '8 s', check_at = now()")
    open_ends = "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NULL"
    env.wait(lambda: env.rows(open_ends)[0]["n"] == 0, 120, "every erasure to be done in the CRM", every=0.5)
    env.pause(3)
    (proof,) = env.rows("SELECT count(*) AS n, sum(records_deleted) AS deleted FROM erased_rows")
    require(proof["n"] == people, f"{proof['n']} erased rows are on record, not {people}")
    require(not env.records_of(list(env.excused)), "an erased person is in the CRM")
    calls = [call for call in env.sandbox.calls(kind="api") if call["method"] == "DELETE" and call["committed"]]
    env.figure("records deleted in the CRM", float(proof["deleted"]))
    env.note(f"{people} people erased: sent, in flight, waiting and pending; {len(calls)} deletions in the ledger")


@drill("28", "Pause and resume by hand: within one tick on every worker, and who and why is shown")
def pause(env: DrillEnvironment) -> None:
    """Three workers under load; one tick after the pause no call reaches the CRM."""
    workers = env.fleet(3, CRM_BATCH_ROWS="25")
    env.sandbox.faults(latency={"ms": 300})
    env.store(3000)
    env.pause(0.5)
    operate(env, "pause", "--why", "moving house", "--by", "ann")
    paused = time.time()
    env.pause(2 * env.settings.crm_tick_seconds + 1)
    env.store(50)
    gate = json.loads(operate(env, "status", "--json"))["gate"]
    require(
        (gate["reason"], gate["detail"], gate["by"]) == ("paused", "moving house", "ann"), f"status says {gate}"
    )
    late = [
        _at(call) - paused
        for call in env.sandbox.calls(kind="api")
        if _at(call) > paused + env.settings.crm_tick_seconds
    ]
    require(not late, f"{len(late)} calls came more than a tick after the pause")
    waiting = env.count("zoho_status IN ('pending', 'retrying')")
    require(all(worker.alive() for worker in workers), "a worker died")
    operate(env, "resume", "--by", "bob")
    resumed = env.rows("SELECT changed_at FROM crm_gate")[0]["changed_at"].timestamp()
    env.wait_delivered(120)
    first = min(_at(call) for call in env.sandbox.calls(kind="api") if _at(call) > resumed) - resumed
    env.figure("first call after resuming", first, "s")
    env.within(first, env.settings.crm_tick_seconds + 1, "the first call came")
    env.note(f"three workers, {waiting:,} rows waited through the pause; `status` showed who paused and why")


def _at(call: dict[str, str]) -> float:
    return datetime.fromisoformat(call["at"]).timestamp()


@drill("29", "Old and new code side by side with a migration between them: exactly once", short=False)
def deployment(env: DrillEnvironment) -> None:
    """Two workers and the site run under load while a table is migrated; then the workers are replaced."""
    site = env.site()
    old = env.fleet(2)
    rounds = 3 if env.short else 15
    for _ in range(rounds):
        env.post(site, env.people(20))
        env.store(100)
    began = time.monotonic()
    with env.connect() as connection:
        for statement in MIGRATION:
            connection.execute(statement.encode())
            env.post(site, env.people(20))
            env.store(100)
    env.figure("migration under load", time.monotonic() - began, "s")
    slowest = 0.0
    for worker in old:
        env.ready_worker()
        env.store(200)
        env.post(site, env.people(20))
        slowest = max(slowest, worker.stop_within(env.call_limit))
    env.figure("slowest exit", slowest, "s")
    for _ in range(rounds):
        env.post(site, env.people(20))
    require(not env.possible, f"{len(env.possible)} posts were refused during the deployment")
    env.wait_delivered(120)
    updates = env.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    env.note("a column and an index added while site and workers run, then every worker replaced by a new one")


@drill(
    "42",
    "A next release's migration of a full table, beside a reader that holds it and visitors who post",
    short=False,
)
def migration(env: DrillEnvironment) -> None:
    """A reader, such as a backup, holds the table for 12 s; visitors must not wait behind the migration."""
    rows, rate = (50_000, 20) if env.short else (1_000_000, 25)
    with env.connect() as connection:
        connection.execute(SQL(OLD_ROWS).format(rows))
    site = env.site()
    with Load(env, site, rate) as load:
        env.pause(1)
        _migrate_beside_reader(env, 12.0)
        env.pause(1)
    refused = [answer.status for answer in load.answers if not answer.accepted]
    slowest = max(answer.seconds for answer in load.answers)
    env.figure("slowest post", slowest, "s")
    require(not refused, f"{len(refused)} posts were refused, status {refused[:3]}")
    (made,) = env.rows("SELECT count(*) AS n FROM pg_indexes WHERE indexname = 'ix_made_up'")
    require(made["n"] == 1, "the migration left its index out")
    # Rows without a history, for the oracle's sake.
    env.change("DELETE FROM deliveries USING leads WHERE leads.id = deliveries.id AND surname LIKE 'Old%'")
    env.change("DELETE FROM leads WHERE surname LIKE 'Old%'")
    env.change(NO_FIELD_CHECK)
    env.ready_worker()
    env.wait_delivered(60)
    env.note(f"{rows:,} rows, a column and an index, a reader for 12 s, {len(load.answers):,} posts")


def _migrate_beside_reader(env: DrillEnvironment, seconds: float) -> None:
    """Migrate; the reader ends so many seconds after the migration first waited for it."""
    waits = "SELECT 1 FROM pg_locks WHERE relation = 'leads'::regclass AND NOT granted"
    over, began = threading.Event(), time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        try:
            reading = pool.submit(_read_until, env, over)
            env.pause(0.5)
            given = make_up(env.folder / "next", *NEXT_RELEASE)
            migrating = pool.submit(migrate, env.database_url, given=given)
            env.wait(lambda: bool(env.rows(waits)), 60, "the migration to meet the reader")
            env.pause(seconds)
        finally:
            over.set()
        reading.result()
        migrating.result()
    env.figure("migrated in", time.monotonic() - began, "s")


def _read_until(env: DrillEnvironment, over: threading.Event) -> None:
    with env.connect() as connection, connection.transaction():
        connection.execute("SELECT count(*) FROM leads")
        over.wait(60)
