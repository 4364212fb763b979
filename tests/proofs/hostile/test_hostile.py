"""The short set of hostile cases, against a site of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofs.drills.servers import Servers
from proofs.hostile.case import KINDS, choose
from proofs.hostile.run import Result, run_case, write_table
from proofs.hostile.target import Target


@pytest.fixture(scope="module")
def target(tmp_path_factory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("hostile")
    with Servers(folder / "servers") as servers:
        running = Target(servers, folder, short=True)
        yield running
        running.close()


@pytest.mark.drill
@pytest.mark.parametrize("case", choose(short=True), ids=lambda case: case.key)
def test_the_promise_is_kept(case, target):
    result = run_case(case, target)
    if not result.was_run:
        pytest.skip(result.measured)
    assert result.broken == "", f"python -m proofs.hostile --short --only {case.key}"


def test_cases_are_chosen_by_name_and_by_kind():
    assert {case.kind for case in choose()} == set(KINDS)
    assert [case.key for case in choose(["protocol.hosts"])] == ["protocol.hosts"]
    assert {case.kind for case in choose(["bodies"])} == {"bodies"}
    assert len(choose(short=True)) < len(choose())
    with pytest.raises(SystemExit, match=r"no case is called nothing"):
        choose(["nothing"])


def test_a_report_replaces_the_results_and_nothing_else():
    cases = choose(["bodies.duplicate-keys", "headers.metrics", "proxy.silent"])
    results = [
        Result(cases[0], 1.0, "one row"),
        Result(cases[1], 1.0, "", "they were served"),
        Result(cases[2], 0.0, "there is no nginx", was_run=False),
    ]
    page = write_table("# Title\n\n<!-- results -->\nold\n<!-- end of the results -->\n\nThe end.\n", results)
    assert page.startswith("# Title\n")
    assert page.endswith("The end.\n")
    assert "old" not in page
    assert "1 of 2 promises kept, 1 not run." in page
    assert "| kept: one row |" in page
    assert "| **broken**: they were served |" in page
    assert "| **not run**: there is no nginx |" in page
