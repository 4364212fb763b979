"""The short set of hostile cases, against a site of its own."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import pytest

from proofs.harness.case import Result
from proofs.harness.servers import Servers
from proofs.hostile.case import case as attacks
from proofs.hostile.run import page, run_case
from proofs.hostile.target import Target


@pytest.fixture(scope="module")
def target(tmp_path_factory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("hostile")
    with Servers(folder / "servers") as servers:
        running = Target(servers, folder, short=True)
        yield running
        running.close()


@pytest.mark.drill
@pytest.mark.parametrize("case", attacks.choose(short=True), ids=lambda case: case.key)
def test_the_promise_is_kept(case, target):
    result = run_case(case, target)
    if result.skipped:
        pytest.skip(result.skipped)
    assert result.wrong == [], f"python -m proofs.hostile --short --only {case.key}"


def test_a_report_replaces_the_rows_of_these_cases_and_nothing_else():
    cases = attacks.choose(["bodies.duplicate-keys", "headers.metrics"])
    results = [Result(cases[0], done=["one row"]), Result(cases[1], wrong=["they were served"])]
    old = "| `headers.metrics` | old | kept: old |\n| `proxy.silent` | promise | kept: as before |"
    text = page(
        results, Namespace(), f"# Title\n\n<!-- results -->\n{old}\n<!-- end of the results -->\n\nThe end.\n"
    )
    assert text.startswith("# Title\n")
    assert text.endswith("The end.\n")
    assert "kept: old" not in text
    assert "2 of 3 promises kept." in text
    rows = [line.split("|")[3].strip() for line in text.splitlines() if line.startswith("| `")]
    assert rows == ["kept: one row", "**broken**: they were served", "kept: as before"]
