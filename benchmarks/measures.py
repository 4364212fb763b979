"""What is measured, one function for each benchmark."""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

import psycopg

from benchmarks import enquiry
from benchmarks.bench import PEERS, TOOLS, Bench, BenchmarkError, Measured, Side, arrived, megabytes, run_node
from benchmarks.report import Finding, Sign
from dev.run.plan import read_procfile
from dev.servers.nginx import PROGRAM as NGINX
from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until

BARE = "bare psycopg and requests"
CRM_MILLISECONDS = 50
DRAINED_ROWS, LOW_RATE, MANY_LEADS = 20_000, 10, 100_000
PAGES = {"home": "/", "landing": "/dental-implants"}
# By figure of Answered and load: what it is, its unit, and the aim beside each peer.
ACCEPT: tuple[tuple[str, int, str, str, Sign, tuple[float, float, float]], ...] = (
    ("rate", 0, "accepts at full speed", "/s", "≥", (4.5, 1.5, 1.5)),
    ("cpu", 0, "processor time an accept, PostgreSQL included", "ms", "≤", (0.6, 0.6, 0.6)),
    ("p99", 100, "accept p99 at 100 a second", "ms", "≤", (1, 1, 1)),
    ("p99", 400, "accept p99 at 400 a second", "ms", "≤", (1, 1, 1)),
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
    """Enquiries at full speed and at two rates, beside what a user would build."""
    sides = [bench.site(bench.product(bench.database())), *(bench.peer(name, bench.database()) for name in PEERS)]
    found = []
    answered = {}
    for rate in (0, 100, 400):
        load = partial(bench.post, rate=rate)
        answered[rate] = by_turns(bench, sides, load)
    for name, rate, what, unit, sign, aims in ACCEPT:
        ours, *others = ([getattr(answer, name) for answer in side] for side in answered[rate])
        for peer, theirs, aim in zip(sides[1:], others, aims, strict=True):
            found.append(Finding(what, ours, unit, aim, sign, peer.name, theirs))
    return found


def by_turns(bench: Bench, sides: Sequence[Side], measure: Callable[[Side], Any]) -> list[list[Any]]:
    """Measure every side in every round, rotating the order; returns the results by side."""
    found: list[list[Any]] = [[] for _ in sides]
    for turn in range(bench.rounds):
        for step in range(len(sides)):
            place = (turn + step) % len(sides)
            found[place].append(measure(sides[place]))
        shown = ", ".join(f"{side.name} {found[place][-1]}" for place, side in enumerate(sides))
        print(f"    round {turn + 1} of {bench.rounds}: {shown}", flush=True)
    return found


def measure_delivery(bench: Bench) -> list[Finding]:
    """From commit to the CRM at low load, then the drain of a backlog, beside a bare loop."""
    crms = [bench.crm(CRM_MILLISECONDS) for _ in range(2)]
    environ = bench.product(bench.database(), crms[0])
    site, worker = bench.site(environ), bench.worker(environ)
    database = bench.database()
    peer = bench.peer("FastAPI + asyncpg", database, with_broker=False)
    bare = [sys.executable, "-m", "benchmarks.peers.bare", f"http://127.0.0.1:{crms[1]}/crm/v8/Leads/upsert"]
    loop = bench.run(bare, {"DATABASE_URL": database}, says=" ready.")
    crm_of, sender_of = {site: crms[0], peer: crms[1]}, {site: worker, peer: loop}
    waits = by_turns(bench, [site, peer], lambda side: _wait_of(bench, side, crm_of[side]))
    drains = by_turns(bench, [site, peer], lambda side: _drain(bench, side, crm_of[side], sender_of[side]))
    (rates, cpus), (bare_rates, bare_cpus) = (zip(*side, strict=True) for side in drains)
    return [
        Finding("commit to CRM, p50 at 10 a second", waits[0], "ms", 1.2, "≤", f"{peer.name}, {BARE}", waits[1]),
        Finding("drain of 20,000 rows", rates, "rows/s", 0.8, "≥", BARE, bare_rates),
        Finding("processor time a drained row, PostgreSQL included", cpus, "µs", 1.2, "≤", BARE, bare_cpus),
    ]


def _wait_of(bench: Bench, side: Side, crm: int) -> float:
    """The median of the milliseconds from a lead's commit to its arrival at the CRM."""
    bench.post(side, rate=LOW_RATE)
    _wait_delivered(side.database)
    there = arrived(crm, everything=True)["arrived"]
    with psycopg.connect(side.database) as connection:
        stored = connection.execute("SELECT id::text, extract(epoch FROM created_at)::float8 FROM leads").fetchall()
    _empty(side.database)
    return float(median(1000 * (there[lead] - at) for lead, at in stored))


def _drain(bench: Bench, side: Side, crm: int, sender: Measured) -> tuple[float, float]:
    """Rows a second from the first arrival to the last reply, and processor microseconds a row."""
    known = arrived(crm)["rows"]
    before = bench.cpu_seconds([sender])
    enquiry.store_waiting(side.database, DRAINED_ROWS)
    if not wait_until(lambda: arrived(crm)["rows"] == known + DRAINED_ROWS, 180, every=0.2):
        raise BenchmarkError(f"{arrived(crm)['rows'] - known} of {DRAINED_ROWS} rows were delivered in 180 s")
    _wait_delivered(side.database)
    ledger = arrived(crm, everything=True)
    first = sorted(ledger["arrived"].values())[known]
    _empty(side.database)
    cpu = 1e6 * (bench.cpu_seconds([sender]) - before) / DRAINED_ROWS
    return round(DRAINED_ROWS / (ledger["last"] - first)), round(cpu)


def _wait_delivered(database: str) -> None:
    if not wait_until(lambda: not _count(database, "deliveries WHERE status <> 'sent'"), 60, every=0.1):
        raise BenchmarkError("leads were not delivered within 60 s")


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
    site = bench.site(bench.product(bench.database()))
    folder, port = bench.folder / "nginx", free_port()
    folder.mkdir()
    script = "fetch(process.argv[1]).then((reply) => reply.text()).then(console.log)"
    text = run_node(["-e", script, f"http://127.0.0.1:{site.port}/"])
    (folder / "index.html").write_text(text)
    (folder / "index.html.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "nginx.conf").write_text(
        f"{'user root; ' * (os.geteuid() == 0)}daemon off; pid {folder}/pid; error_log stderr; events {{ }}"
        f" worker_processes 1; http {{ access_log off; types {{ text/html html; }} gzip_static on; server {{"
        f" listen 127.0.0.1:{port}; root {folder}; }} }}"
    )
    nginx = bench.run([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], {}, port, one_core=True)
    sides = [site, Side("nginx", port, (nginx,))]
    ours, theirs = (
        [answer.rate for answer in side] for side in by_turns(bench, sides, lambda s: bench.get(s, "/"))
    )
    return [Finding("home page, compressed", ours, "/s", 3000, "≥", "nginx", theirs, of_figure=True)]


def measure_lighthouse(bench: Bench) -> list[Finding]:
    """Lighthouse on a simulated phone and slow 4G; a figure is the worse page's."""
    site = bench.site(bench.product(bench.database()))
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
    site = bench.site(bench.product(bench.database()))
    command = [str(ROOT / "frontend" / "scripts" / "presses.mjs"), *PAGES.values(), "--json"]
    environ = {"BASE_URL": f"http://127.0.0.1:{site.port}"}
    rounds = [json.loads(run_node(command, environ=environ)) for _ in range(bench.rounds)]
    slowest = [max(max(presses.values()) for presses in pages.values()) for pages in rounds]
    return [Finding("slowest press until the next paint, slow phone", slowest, "ms", 50)]


def measure_memory(bench: Bench) -> list[Finding]:
    """Site, worker, Flower, PostgreSQL and Valkey with their default settings, at rest and after many leads."""
    environ = bench.product(bench.database(), bench.crm(CRM_MILLISECONDS))
    site, worker, port = bench.site(environ), bench.worker(environ), free_port()
    login = {"HOST": "127.0.0.1", "FLOWER_PORT": str(port), "FLOWER_BASIC_AUTH": "ops:bench"}
    flower = bench.run(["/bin/sh", "-c", read_procfile()["flower"]], {**environ, **login}, port)

    def look() -> float:
        threading.Event().wait(15)  # the worker's looks after the last reply
        pids = [site.programs[0].pid, worker.pid, flower.pid, bench.postgres.pid, bench.valkey.pid]
        sizes = [megabytes(pid) for pid in pids]
        print(f"    site, worker, Flower, PostgreSQL, Valkey: {[round(size) for size in sizes]} MB", flush=True)
        return sum(sizes)

    at_rest, begun = look(), time.monotonic()
    leads = MANY_LEADS if bench.seconds >= 4 else 0
    while _count(environ["DATABASE_URL"], "leads") < leads and time.monotonic() - begun < 1800:
        bench.post(site, seconds=20)
        _wait_delivered(environ["DATABASE_URL"])
    after = [Finding(f"memory of the whole product after {leads:,} leads", [look()], "MB", 350)] if leads else []
    return [Finding("memory of the whole product, at rest", [at_rest], "MB", 350), *after]


BENCHMARKS: dict[str, Callable[[Bench], list[Finding]]] = {
    "accept": measure_accept,
    "delivery": measure_delivery,
    "page": measure_page,
    "lighthouse": measure_lighthouse,
    "presses": measure_presses,
    "memory": measure_memory,
}
