"""Each promise has guards, each guard exists and guards a promise, and docs/delivery.md shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofs.cuts.journeys import JOURNEYS
from proofs.drills.drill import drill
from proofs.mutants.mutant import MUTANTS
from proofs.promises import PAGE, PROMISES, table

ROOT = Path(__file__).parents[2]
INVARIANT = re.compile(r'require\(\s*"([^"]+)"')


def invariants() -> set[str]:
    files = [*(ROOT / "proofs/simulation").glob("*.py"), *(ROOT / "proofs/cuts").glob("*.py")]
    return {name for file in files for name in INVARIANT.findall(file.read_text())}


# After every drill the log is compared with the ledger, which is property 30.
GUARDS = {
    "drills": {case.key for case in drill.choose()} | {"30"},
    "simulation": invariants(),
    "cuts": {journey.name for journey in JOURNEYS},
    "mutants": {mutant.name for mutant in MUTANTS},
}


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.words[:40])
def test_a_promise_is_guarded(promise):
    assert any(getattr(promise, kind) for kind in GUARDS)


@pytest.mark.parametrize("kind", GUARDS)
def test_every_guard_exists_and_guards_a_promise(kind):
    named = {name for promise in PROMISES for name in getattr(promise, kind)} - {"all"}
    assert named == GUARDS[kind]


def test_the_page_shows_them():
    assert (ROOT / PAGE).read_text().endswith(table() + "\n"), "python -m proofs.promises writes it"
