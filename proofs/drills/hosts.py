"""Properties 33 and 34: a host that vanishes with its sessions, and two hosts whose cables and processes fail."""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import datetime

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.relay import Host
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.process import Worker

FREE_AGAIN = 15.0  # seconds after the lease (delivery property 33)
HELD = "SELECT holder::text FROM call_slots WHERE until_at > now()"
SESSIONS = (
    "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name ~ '^worker ' AND client_port IS NOT NULL"
)


@drill(
    "33",
    "A host is lost and the server keeps its sessions: its slots and rows are free within lease + 15 s",
    short=False,
)
def lost_host(env: DrillEnvironment) -> None:
    """One worker holds four of six slots when its cables are cut and it is frozen; another goes on with two.

    In the end the cables are mended and the worker goes on: what it had in hand is fenced.
    """
    env.variables |= {"CRM_CALLS_IN_FLIGHT": "6", "CRM_BATCH_ROWS": "5"}
    env.reread_settings()
    env.store(1)
    other = env.ready_worker()
    env.wait_delivered(30)
    other.kill()
    with Host(env.variables) as host:
        lost, rows, slots = _lose(env, host)
        at = time.time()
        env.ready_worker()
        _others_go_on(env)
        sessions = env.rows(SESSIONS)[0]["n"]
        limit = env.settings.crm_lease_seconds + FREE_AGAIN
        env.wait(lambda: not slots & _held(env), limit + 5, "the slots of the lost host to be free")
        env.figure("slots free again", time.time() - at, "s")
        env.within(time.time() - at, limit, "the slots of the lost host were free")
        _taken_over(env, rows, at, limit)
        env.sandbox.faults(latency={"ms": 500})
        env.store(200)
        env.wait(lambda: env.sandbox.summary()["in_flight"] > 2, 20, "more calls in flight than two", every=0.01)
        env.sandbox.faults(latency={"ms": 100})
        env.wait_delivered(60)
        require(env.rows(SESSIONS)[0]["n"] >= 4, "the server ended the sessions of the lost host")
        host.mend()
        lost.thaw()
        ids = env.store(50)
        env.wait_in_crm(ids, 30, "leads after the host came back")
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead")
    env.note(
        f"a host with {len(slots)} of 6 slots and {len(rows)} rows cut off and frozen; {sessions} sessions stayed"
    )


def _lose(env: DrillEnvironment, host: Host) -> tuple[Worker, list[str], set[str]]:
    """Cut off and freeze a worker while all its threads are in calls: the worker, its rows and its slots."""
    worker = env.ready_worker(host=host)
    env.sandbox.faults(latency={"ms": 1500})
    stored = env.store(20)
    env.wait(lambda: env.sandbox.summary()["in_flight"] == 4, 20, "four calls in flight", every=0.01)
    host.cut()
    worker.freeze()
    slots = _held(env)
    require(len(slots) == 4, f"the lost host holds {len(slots)} slots, not 4")
    env.wait(lambda: env.sandbox.summary()["in_flight"] == 0, 10, "the CRM's answers")
    env.sandbox.faults(latency={"ms": 100})
    return worker, stored, slots


def _held(env: DrillEnvironment) -> set[str]:
    return {row["holder"] for row in env.rows(HELD)}


def _others_go_on(env: DrillEnvironment) -> None:
    """New leads reach the CRM while the lost host holds its slots."""
    began, sent = time.monotonic(), 0
    while time.monotonic() - began < env.settings.crm_lease_seconds / 2:
        sent += 10
        env.wait_in_crm(env.store(10), 10, "new leads beside the lost host")
    env.figure("rate beside the lost host", sent / (time.monotonic() - began), "leads/s")


def _taken_over(env: DrillEnvironment, rows: list[str], at: float, limit: float) -> None:
    taken = "SELECT max(at) AS at, count(DISTINCT row_id) AS n FROM crm_attempts WHERE event = 'claimed'"
    query = f"{taken} AND row_id = ANY(%s::uuid[]) AND at > to_timestamp(%s)"
    env.wait(lambda: env.rows(query, rows, at)[0]["n"] == len(rows), limit + 5, "the rows to be claimed again")
    last = env.rows(query, rows, at)[0]["at"]
    require(isinstance(last, datetime), "no row was claimed again")
    env.figure("rows claimed again", last.timestamp() - at, "s")
    env.within(last.timestamp() - at, limit, "the rows of the lost host were claimed again")


@drill(
    "34", "Two hosts, cables cut, processes frozen and killed at random: nothing lost, nothing doubled", short=False
)
def two_hosts(env: DrillEnvironment) -> None:
    """Each host has its own address and two workers; every second or so something fails, and is repaired."""
    seconds, leads = (14.0, 2000) if env.short else (120.0, 12_000)
    env.variables |= {"CRM_BATCH_ROWS": "5", "CRM_CONCURRENCY": "4"}
    env.orphans = 4 * env.settings.crm_concurrency
    env.sandbox.faults(latency={"ms": 200, "jitter_ms": 200})
    counts = dict.fromkeys(FAILURES, 0)
    with ExitStack() as stack:
        hosts = [
            stack.enter_context(Host(env.variables, address=address)) for address in ("127.0.0.2", "127.0.0.3")
        ]
        fleet = [env.worker(host=host) for host in hosts for _ in range(2)]
        for worker in fleet:
            env.wait(lambda worker=worker: worker.is_ready, 60, f"{worker.name} to start")  # type: ignore[misc]
        began, stored = time.monotonic(), 0
        while time.monotonic() - began < seconds:
            stored += len(env.store(min(leads - stored, int(leads / seconds) + 1)))
            name = env.random.choice(list(FAILURES))
            counts[name] += 1
            FAILURES[name](env, hosts, fleet)
        for host in hosts:
            host.mend()
        for worker in fleet:
            worker.thaw()
        env.store(leads - stored)
        env.figure("seconds from the last failure to all delivered", _drain(env))
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead")
    done = ", ".join(f"{number} {name}" for name, number in counts.items())
    env.note(f"{len(env.accepted):,} leads, 2 hosts with 2 workers each, {seconds:g} s: {done}")


def _drain(env: DrillEnvironment) -> float:
    """Wait until every row is sent; the drill makes the rows due that wait for their next try."""

    def is_done() -> bool:
        env.make_due("zoho_status = 'retrying'")
        return env.count(outbox.OWED) == 0

    env.change("UPDATE crm_gate SET until_at = least(until_at, now()) WHERE state = 'shut'")
    return env.wait(is_done, 300, "all rows to be settled", every=0.5)


def _cut(env: DrillEnvironment, hosts: list[Host], _fleet: list[Worker]) -> None:
    cable = env.random.choice([cable for host in hosts for cable in host.cables.values()])
    cable.cut()
    env.pause(env.random.uniform(0.2, 1.5) * env.settings.crm_call_seconds / 2)
    cable.mend()


def _cut_host(env: DrillEnvironment, hosts: list[Host], _fleet: list[Worker]) -> None:
    host = env.random.choice(hosts)
    host.cut()
    env.pause(env.random.uniform(0.2, 1.5) * env.settings.crm_call_seconds / 2)
    host.mend()


def _freeze(env: DrillEnvironment, _hosts: list[Host], fleet: list[Worker]) -> None:
    worker = env.random.choice(fleet)
    worker.freeze()
    env.pause(env.random.uniform(0.1, 1.3) * env.settings.crm_lease_seconds)
    worker.thaw()


def _kill(env: DrillEnvironment, hosts: list[Host], fleet: list[Worker]) -> None:
    number = env.random.randrange(len(fleet))
    fleet[number].kill()
    fleet[number] = env.worker(host=hosts[number // 2])
    env.pause(1)


FAILURES = {"cables cut": _cut, "hosts cut off": _cut_host, "processes frozen": _freeze, "processes killed": _kill}
