"""Running one case."""

from __future__ import annotations

from proofs.harness.case import Case, Result, judged, require
from proofs.hostile.target import Target


def run_case(attack: Case, target: Target) -> Result:
    """Run one case; afterwards the site must still run and be its old self."""
    result = Result(attack)
    with judged(result):
        result.done.append(attack.run(target))
    aftermath = Result(attack)
    with judged(aftermath):
        target.main.close()  # an attack may have cost it its connection
        require(target.main.process.alive(), "the site died")
        require(target.main.get("/healthz").status == 200, "the site does not answer any more")
    result.wrong += aftermath.wrong
    return result
