"""The peers are measured only when they do what the product does."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace

import pytest

from benchmarks.equal_work import check_equal_work, compare
from benchmarks.load import Served
from benchmarks.programs import BenchmarkError, Measured
from benchmarks.rows import count
from dev.servers.state_files import free_port
from dev.visitors import GENEROUS, Visitors
from proofs.harness.product import procfile

DONE = {"the status": 201, "what is stored": [{"name": "Ada1", "request_digest": b"\x01"}]}


def test_sides_that_do_the_same_are_equal():
    compare({"product": DONE, "peer": dict(DONE)})


def test_a_side_that_stores_something_else_is_named():
    with pytest.raises(BenchmarkError, match="peer does other work than product: what is stored is"):
        compare({"product": DONE, "peer": DONE | {"what is stored": [{"name": "Ada1", "request_digest": None}]}})


@pytest.fixture(scope="module")
def sites(make_database, valkey, tmp_path_factory):
    """Two sites, each with a database of its own."""
    served = []
    with ExitStack() as stack:
        for name in ("one", "two"):
            environment = {
                "DATABASE_URL": stack.enter_context(make_database()),
                "REDIS_URL": valkey.url,
                "HOST": "127.0.0.1",
                "PORT": str(free_port()),
                "FRONTEND_DIR": os.devnull,
                **GENEROUS,
            }
            program = Measured(
                name, ["sh", "-c", procfile("web")], environment, tmp_path_factory.mktemp(name) / "web.log"
            )
            stack.callback(program.stop)
            port = int(environment["PORT"])
            served.append(Served(name, [port], [program], environment["DATABASE_URL"], Visitors(environment)))
        for side in served:
            side.programs[0].wait_for_port(side.ports[0])
        yield served


@pytest.mark.slow
def test_two_sites_do_equal_work_and_keep_no_lead_of_it(sites, valkey):
    check_equal_work(sites, valkey.url)
    assert [count(side.database) for side in sites] == [0, 0]


@pytest.mark.slow
def test_a_site_that_holds_what_it_gets_does_not(sites, valkey):
    without_token = replace(sites[1], visitors=None)  # the site stores the lead as held, and rings no bell
    with pytest.raises(BenchmarkError, match="two does other work than one"):
        check_equal_work([sites[0], without_token], valkey.url)
