"""The drills' short set: the delivery properties with real processes and shortened times."""

from __future__ import annotations

import pytest

from proofs.drills.drill import drill as drills
from proofs.drills.run import run_drill

SEED = 1


@pytest.mark.drill
@pytest.mark.parametrize("drill", drills.choose(short=True), ids=lambda drill: drill.key)
def test_the_property_holds(drill, servers, tmp_path):
    result = run_drill(drill, servers, tmp_path, seed=SEED, short=True)
    if result.skipped:
        pytest.skip(result.skipped)
    assert result.wrong == [], f"{drill.promise}: python -m proofs.drills --short --only {drill.key} --seed {SEED}"
