"""Two incidents: their cause is seen in Flower, `status` and an alarm, and the runbook's own commands end them."""

from __future__ import annotations

import pytest

from proofs.drills.run import run_drill
from proofs.incidents.incident import incident as incidents


@pytest.mark.drill
@pytest.mark.parametrize("incident", incidents.choose(short=True), ids=lambda incident: incident.key)
def test_operators_see_the_cause_and_the_runbook_ends_it(incident, servers, tmp_path):
    result = run_drill(incident, servers, tmp_path, seed=1, short=True)
    assert result.wrong == [], f"{incident.promise}: make incident NAME={incident.key}"
