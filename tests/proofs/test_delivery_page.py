"""docs/delivery.md names what guards each promise; what it names must exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofs.cuts.journeys import JOURNEYS
from proofs.drills.drill import drill
from proofs.mutants.mutant import MUTANTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/delivery.md").read_text()
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("| **")]
DRILLS_NAMED, SIMULATION, CUTS_NAMED, MUTANTS_NAMED = range(1, 5)


def named(column, separator):
    cells = (row[column] for row in ROWS)
    return sorted({name.strip("` ") for cell in cells for name in cell.split(separator) if name.strip()})


@pytest.mark.parametrize("number", [number for number in named(DRILLS_NAMED, ",") if number not in {"all", "30"}])
def test_a_drill_that_is_named_exists(number):
    assert number in {case.key for case in drill.choose()}


@pytest.mark.parametrize("name", [name for name in named(CUTS_NAMED, ",") if name != "all"])
def test_a_journey_of_the_cuts_that_is_named_exists(name):
    assert name in {journey.name for journey in JOURNEYS}


@pytest.mark.parametrize("guards", [row[DRILLS_NAMED:] for row in ROWS], ids=[row[0][:40] for row in ROWS])
def test_every_promise_is_guarded(guards):
    assert any(guards)


@pytest.mark.parametrize("name", named(MUTANTS_NAMED, ","))
def test_a_mutant_that_is_named_exists(name):
    assert name in {mutant.name for mutant in MUTANTS}


@pytest.mark.parametrize("phrase", named(SIMULATION, ";"))
def test_an_invariant_that_is_named_is_checked(phrase):
    texts = [path.read_text() for path in (ROOT / "proofs/simulation").glob("*.py")]
    assert any(re.search(rf"[\"*] ?{re.escape(phrase)}", text) for text in texts)
