"""The ways of a lead from the post to the CRM: the product's, and the barest one, each with servers of its own."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.accept import PEERS
from benchmarks.bench import Bench
from benchmarks.load import Served
from benchmarks.programs import CrmStandIn, Measured
from leads.settings import read_settings

BARE = "bare psycopg and requests"
BARE_WAY = f"{PEERS[1]}, then {BARE}"


@dataclass(frozen=True, slots=True)
class Way:
    """A site, who delivers, and where to."""

    name: str
    site: Served
    workers: list[Measured]
    database: str
    crm: CrmStandIn


def ways(bench: Bench) -> list[Way]:
    """The product with its default settings, and beside it the fastest peer's accept with the bare delivery."""
    database, crm = bench.database(), bench.crm()
    environment = bench.product(database, crm)
    ours = Way("product", bench.site(environment), bench.workers(environment), database, crm)
    in_flight = read_settings(environment).crm_concurrency
    database, crm = bench.database(), bench.crm()
    site = bench.peer(PEERS[1], "fastapi_asyncpg", database)
    return [ours, Way(BARE_WAY, site, bench.bare_worker(database, crm, in_flight), database, crm)]
