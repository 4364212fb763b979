"""The short set of hostile cases, against a site of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofs.harness.servers import Servers
from proofs.hostile.case import case as attacks
from proofs.hostile.run import run_case
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
