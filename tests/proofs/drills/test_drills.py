"""The drills' short set: the delivery properties with real processes and shortened times."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofs.drills.drill import choose
from proofs.drills.run import run_drill
from proofs.drills.servers import Servers

SEED = 1


@pytest.fixture(scope="module")
def servers(tmp_path_factory) -> Iterator[Servers]:
    with Servers(tmp_path_factory.mktemp("drills") / "servers") as running:
        yield running


@pytest.mark.drill
@pytest.mark.parametrize("drill", choose(only=None, short=True), ids=lambda drill: drill.key)
def test_the_property_holds(drill, servers, tmp_path):
    result = run_drill(drill, servers, tmp_path, seed=SEED, short=True)
    if result.skipped:
        pytest.skip(result.skipped)
    assert result.wrong == [], f"{drill.title}: python -m proofs.drills --short --only {drill.key} --seed {SEED}"


def test_every_property_of_delivery_has_a_drill():
    assert {drill.number for drill in choose(only=None, short=False)} == set(range(1, 45)) - {30}


def test_a_drill_runs_alone_by_its_key():
    assert [drill.key for drill in choose(only=["20"], short=True)] == ["20"]
    assert [drill.key for drill in choose(only=["5b", "20"], short=True)] == ["5b", "20"]
    with pytest.raises(SystemExit, match="no drill is called 99"):
        choose(only=["99", "20"], short=True)
