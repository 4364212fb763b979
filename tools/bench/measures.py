"""What is measured, one function for each benchmark."""

import gzip
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any, TypeVar

import psycopg
import redis

from tools.bench import enquiry
from tools.bench.bench import PEERS, TOOLS, Bench, BenchmarkError, Side, arrived, megabytes, run_node
from tools.bench.peers import ASYNCPG, BEFORE, FLASK, PRODUCT, SQLALCHEMY
from tools.bench.report import Finding, Sign
from tools.servers.nginx import PROGRAM as NGINX
from tools.servers.server_process import ROOT
from tools.servers.state_files import free_port
from tools.servers.waiting import wait_until

_Side = TypeVar("_Side")
BARE = "bare psycopg and requests"
# Calls in milliseconds; leads; enquiries a second. A week's outage of 500 leads a day is the backlog.
QUICK_CALL, SLOW_CALL = 50, 300
BACKLOG, MANY_LEADS, LOW_RATE, RATE = 3_500, 10_000, 1, 100
DRAIN_SECONDS = 300
PAGES = {"home": "/", "landing": "/dental-implants"}
# By figure of Answered and load: what it is, its unit, and the aim beside each peer.
ACCEPT: tuple[tuple[str, int, str, str, Sign, dict[str, float]], ...] = (
    ("rate", 0, "accepts at full speed", "/s", "≥", {BEFORE: 0.98, ASYNCPG: 1, SQLALCHEMY: 2.5, FLASK: 2.5}),
    ("cpu", 0, "processor time an accept, PostgreSQL included", "ms", "≤", {BEFORE: 1, ASYNCPG: 0.8}),
    ("p99", RATE, "accept p99 at 100 a second", "ms", "≤", {BEFORE: 1}),
    ("p99", 400, "accept p99 at 400 a second", "ms", "≤", {BEFORE: 1}),
)
# By place in the report: what it is, unit, scale, aim.
LIGHTHOUSE: dict[tuple[str, str], tuple[str, str, float, float, Sign]] = {
    ("categories", "performance"): ("Lighthouse mobile, performance", "", 100, 100, "≥"),
    ("categories", "accessibility"): ("Lighthouse mobile, accessibility", "", 100, 100, "≥"),
    ("categories", "best-practices"): ("Lighthouse mobile, best practices", "", 100, 100, "≥"),
    ("categories", "seo"): ("Lighthouse mobile, SEO", "", 100, 100, "≥"),
    ("audits", "largest-contentful-paint"): ("largest contentful paint, simulated slow 4G", "s", 0.001, 1.2, "≤"),
    ("audits", "total-blocking-time"): ("total blocking time, simulated slow 4G", "ms", 1, 0, "≤"),
    ("audits", "cumulative-layout-shift"): ("cumulative layout shift", "", 1, 0, "≤"),
}


def measure_accept(bench: Bench) -> list[Finding]:
    """Enquiries at full speed and at two rates, beside what a user would build and the version before."""
    sides = [bench.site(bench.product(version), version) for version in bench.versions]
    sides += [bench.peer(name, bench.database()) for name in PEERS]
    loads = {rate: partial(bench.post, rate=rate) for rate in (0, RATE, 400)}
    answered = {rate: by_turns(bench, sides, load) for rate, load in loads.items()}
    found = []
    for figure, rate, what, unit, sign, aims in ACCEPT:
        series = {
            side.name: [getattr(answer, figure) for answer in answers]
            for side, answers in zip(sides, answered[rate], strict=True)
        }
        found += [
            Finding(what, series[PRODUCT], unit, aim, sign, peer, series[peer])
            for peer, aim in aims.items()
            if peer in series
        ]
    return found


def by_turns(bench: Bench, sides: Sequence[_Side], measure: Callable[[_Side], Any]) -> list[list[Any]]:
    """Measure every side in every round, rotating the order; returns the results by side."""
    found: list[list[Any]] = [[] for _ in sides]
    for turn in range(bench.rounds):
        for step in range(len(sides)):
            place = (turn + step) % len(sides)
            found[place].append(measure(sides[place]))
        shown = ", ".join(str(results[-1]) for results in found)
        print(f"    round {turn + 1} of {bench.rounds}: {shown}", flush=True)
    return found


def measure_delivery(bench: Bench) -> list[Finding]:
    """From commit to the CRM at low load, beside a bare loop and the version before."""
    sides = _deliveries(bench, QUICK_CALL)
    waits = by_turns(bench, sides, partial(_wait_of, bench))
    return [
        Finding("commit to CRM, p50 at one a second", waits[0], "ms", aim, "≤", side.name, wait)
        for (side, _), wait, aim in zip(sides[1:], waits[1:], (1.2, 1), strict=False)
    ]


def measure_drain(bench: Bench) -> list[Finding]:
    """A week's backlog to a slow CRM, beside a bare loop and the version before."""
    sides = _deliveries(bench, SLOW_CALL)
    drains = by_turns(bench, sides, _drain)
    what = f"drain of {BACKLOG:,} rows, {SLOW_CALL} ms a call"
    return [
        Finding(what, drains[0], "s", DRAIN_SECONDS, "≤", side.name, seconds, of_figure=True)
        for (side, _), seconds in zip(sides[1:], drains[1:], strict=True)
    ]


def _deliveries(bench: Bench, milliseconds: int) -> list[tuple[Side, int]]:
    """The product, a bare loop behind FastAPI, and the version before if it is measured; each with its CRM."""
    found = []
    for version in bench.versions:
        environ = bench.product(version, crm := bench.crm(milliseconds))
        found.append((bench.site(environ, version), crm))
        bench.process("worker", environ, says=" ready.")
    crm = bench.crm(milliseconds)
    peer = replace(bench.peer(ASYNCPG, bench.database(), with_broker=False), name=BARE)
    bare = [sys.executable, "-m", "tools.bench.peers.bare", f"http://127.0.0.1:{crm}/crm/v8/Leads/upsert"]
    bench.run(bare, {"DATABASE_URL": peer.database}, says=" ready.")
    found.insert(1, (peer, crm))
    return found


def _wait_of(bench: Bench, delivery: tuple[Side, int]) -> float:
    """The median of the milliseconds from a lead's commit to its arrival at the CRM."""
    side, crm = delivery
    bench.post(side, rate=LOW_RATE)
    _wait_delivered(side.database)
    there = arrived(crm)["rows"]
    with psycopg.connect(side.database) as connection:
        stored = connection.execute("SELECT id::text, extract(epoch FROM created_at)::float8 FROM leads").fetchall()
    _empty(side.database)
    return float(median(1000 * (there[lead] - at) for lead, at in stored))


def _drain(delivery: tuple[Side, int]) -> float:
    """Seconds from a backlog's commit to the last reply."""
    side, crm = delivery
    known = len(arrived(crm)["rows"])
    enquiry.store_waiting(side.database, BACKLOG)
    begun = time.time()
    if not wait_until(lambda: len(arrived(crm)["rows"]) == known + BACKLOG, 2 * DRAIN_SECONDS, every=0.2):
        raise BenchmarkError(f"not all of {BACKLOG} rows were delivered in {2 * DRAIN_SECONDS} s")
    _wait_delivered(side.database)
    _empty(side.database)
    return round(float(arrived(crm)["last"]) - begun, 1)


def _wait_delivered(database: str) -> None:
    if not wait_until(lambda: not _count(database, "deliveries WHERE status <> 'sent'"), 300, every=0.1):
        raise BenchmarkError("leads were not delivered within 300 s")


def _count(database: str, of: str) -> int:
    with psycopg.connect(database, autocommit=True) as connection:
        (found,) = connection.execute(f"SELECT count(*) FROM {of}").fetchone() or (0,)  # noqa: S608 - no input
    return int(found)


def _empty(database: str) -> None:
    """Delete all leads, though a worker that looks for rows meanwhile may lock the tables in another order."""
    for _ in range(5):
        with suppress(psycopg.errors.DeadlockDetected), psycopg.connect(database) as connection:
            connection.execute("TRUNCATE leads, deliveries, attempts CASCADE")
            return
    raise BenchmarkError("the tables could not be emptied: deadlocks with the product")


def measure_page(bench: Bench) -> list[Finding]:
    """The home page, compressed, beside nginx with the same bytes."""
    if NGINX is None:
        raise BenchmarkError("nginx is not installed here (Debian, Ubuntu: apt install nginx-light)")
    sides = [bench.site(bench.product(version), version) for version in bench.versions]
    folder, port = bench.folder / "nginx", free_port()
    folder.mkdir()
    script = "fetch(process.argv[1]).then((reply) => reply.text()).then(console.log)"
    text = run_node(["-e", script, f"http://127.0.0.1:{sides[0].port}/"])
    (folder / "index.html").write_text(text)
    (folder / "index.html.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "nginx.conf").write_text(
        f"{'user root; ' * (os.geteuid() == 0)}daemon off; pid {folder}/pid; error_log stderr; events {{ }}"
        f" worker_processes 1; http {{ access_log off; types {{ text/html html; }} gzip_static on; server {{"
        f" listen 127.0.0.1:{port}; root {folder}; }} }}"
    )
    nginx = bench.run([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], {}, port, one_core=True)
    sides.append(Side("nginx", port, (nginx,)))
    answers = by_turns(bench, sides, lambda side: bench.get(side, "/"))
    ours, *others = ([answer.rate for answer in side] for side in answers)
    what = "home page, compressed"
    found = [Finding(what, ours, "/s", 3000, "≥", "nginx", others[-1], of_figure=True)]
    return found + [Finding(what, ours, "/s", 1.3, "≥", BEFORE, theirs) for theirs in others[:-1]]


def measure_redis(bench: Bench) -> list[Finding]:
    """What an accept costs while Redis is frozen, full or away."""
    site = bench.site(bench.product())

    def full() -> None:
        with redis.Redis.from_url(bench.valkey.url) as client:
            client.config_set("maxmemory", "1")

    troubles = {"full": full, "frozen": bench.valkey.freeze, "away": bench.valkey.kill}
    longer: dict[str, list[float]] = {name: [] for name in troubles}
    for _ in range(bench.rounds):
        normal = bench.post(site, rate=RATE).p99
        for name, begin in troubles.items():
            begin()
            longer[name].append(max(0, bench.post(site, rate=RATE).p99 - normal))
            bench.valkey.restart_empty()
        print(f"    normal {normal} ms; {longer}", flush=True)
    return [Finding(f"added to an accept's p99 while Redis is {name}", ms, "ms", 50) for name, ms in longer.items()]


def measure_lighthouse(bench: Bench) -> list[Finding]:
    """Lighthouse on a simulated phone and slow 4G; a figure is the worse page's."""
    site = bench.site(bench.product())
    launch = (ROOT / "frontend" / "scripts" / "browserLaunch.mjs").as_uri()
    script = f'import("{launch}").then((m) => m.browserLaunch()).then((b) => console.log(b.executablePath))'
    environ = {"CHROME_PATH": run_node(["--input-type=module", "-e", script]).strip()}
    # Lighthouse 12: 13.5 with this Chromium takes the request for our pages as aborted.
    command = [str(TOOLS / "node_modules" / "lighthouse" / "cli" / "index.js")]
    options = ["--quiet", "--no-enable-error-reporting", "--output=json", "--output-path=stdout"]
    options += ["--only-categories=performance,accessibility,best-practices,seo"]
    options += ["--chrome-flags=--headless --no-sandbox --disable-gpu"]
    worst: dict[tuple[str, str], list[float]] = {place: [] for place in LIGHTHOUSE}
    for _ in range(bench.rounds):
        urls = [f"http://127.0.0.1:{site.port}{path}" for path in PAGES.values()]
        reports = [json.loads(run_node([*command, url, *options], environ=environ)) for url in urls]
        for (kind, name), (_, _, scale, _, sign) in LIGHTHOUSE.items():
            value = "score" if kind == "categories" else "numericValue"
            figures = [round(scale * report[kind][name][value], 4) for report in reports]
            worst[kind, name].append(min(figures) if sign == "≥" else max(figures))
    return [
        Finding(what, worst[place], unit, aim, sign) for place, (what, unit, _, aim, sign) in LIGHTHOUSE.items()
    ]


def measure_presses(bench: Bench) -> list[Finding]:
    """From a press to the next paint on a phone with a processor six times slower: the slowest of all."""
    site = bench.site(bench.product())
    command = [str(ROOT / "frontend" / "scripts" / "presses.mjs"), *PAGES.values()]
    environ = {"BASE_URL": f"http://127.0.0.1:{site.port}"}
    rounds = [json.loads(run_node(command, environ=environ)) for _ in range(bench.rounds)]
    slowest = [max(max(presses.values()) for presses in pages.values()) for pages in rounds]
    return [Finding("slowest press until the next paint, slow phone", slowest, "ms", 50)]


def measure_memory(bench: Bench) -> list[Finding]:
    """Site, worker, Flower, PostgreSQL and Valkey with their default settings, at rest and after many leads."""
    (at_rest, after), *before = (_memory_of(bench, version) for version in bench.versions)
    looks = ("at rest", at_rest), (f"after {MANY_LEADS:,} leads", after)
    found = [Finding(f"memory of the whole product, {when}", [size], "MB", 350) for when, size in looks]
    for (when, size), theirs in zip(looks, before[0] if before else (), strict=False):
        found.append(Finding(f"memory of the whole product, {when}", [size], "MB", 1, "≤", BEFORE, [theirs]))
    return found


def _memory_of(bench: Bench, version: str) -> tuple[float, float]:
    """Megabytes at rest and after many leads."""
    bench.clear()
    bench.postgres.stop()  # its memory grew beside the version before this
    bench.postgres.start()
    environ = bench.product(version, bench.crm(QUICK_CALL))
    site, port = bench.site(environ, version), free_port()
    worker = bench.process("worker", environ, says=" ready.")
    login = {"HOST": "127.0.0.1", "FLOWER_PORT": str(port), "FLOWER_BASIC_AUTH": "ops:bench"}
    flower = bench.process("flower", {**environ, **login}, port)

    def look() -> float:
        threading.Event().wait(15)  # the worker's looks after the last reply
        pids = [site.programs[0].pid, worker.pid, flower.pid, bench.postgres.pid, bench.valkey.pid]
        sizes = [megabytes(pid) for pid in pids]
        words = ", ".join(f"{size:.0f}" for size in sizes)
        print(f"    {version}: site, worker, Flower, PostgreSQL, Valkey: {words} MB", flush=True)
        return sum(sizes)

    at_rest = look()
    while (stored := _count(site.database, "leads")) < MANY_LEADS:
        bench.post(site, rate=400, seconds=min(20, 1 + (MANY_LEADS - stored) // 400))
        _wait_delivered(site.database)
    return at_rest, look()


_SERVERS = (measure_accept, measure_delivery, measure_drain, measure_redis, measure_page, measure_memory)
_ALL = (*_SERVERS, measure_lighthouse, measure_presses)
BENCHMARKS = {measure.__name__.removeprefix("measure_"): measure for measure in _ALL}
