"""P12: the pre-rendered home page, compared with the same bytes from the same server without an application."""

from __future__ import annotations

from http.client import HTTPConnection

from benchmarks.accept import rounds
from benchmarks.bench import Bench
from benchmarks.programs import BenchmarkError
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding


def measure_pages(bench: Bench) -> list[Finding]:
    """The page as a browser requests it: compressed, not from its cache."""
    site = bench.site(bench.product(bench.database()))
    page = _page(site.ports[0])
    file = bench.folder / "page.gz"
    file.write_bytes(page)
    ours, theirs = rounds(
        bench,
        [site, bench.bare(file)],
        lambda side: bench.get(side, "/"),
        lambda answer: f"{number(answer.rate)}/s",
    )
    rates, bare = (Series(tuple(answer.rate for answer in side), "/s") for side in (ours, theirs))
    cpu = Series(tuple(answer.cpu for answer in ours)).median
    note = f"the home page, {len(page) / 1024:.0f} KiB compressed, 32 connections; CPU ms per page {number(cpu)}"
    return [Finding(TARGETS["P12"], rates, "the same bytes, no application", bare, [note])]


def _page(port: int) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/", headers={"Accept-Encoding": "gzip"})
    reply = connection.getresponse()
    page = reply.read()
    connection.close()
    if reply.status != 200:
        raise BenchmarkError(f"the home page answers {reply.status}: run `make build`")
    return page
