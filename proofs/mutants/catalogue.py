"""All mutants, by the room of their fault, and their table for the documentation."""

from __future__ import annotations

from proofs.mutants import accept, crm_state, delivery, outbox
from proofs.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (*accept.MUTANTS, *outbox.MUTANTS, *crm_state.MUTANTS, *delivery.MUTANTS)


def table() -> str:
    """The Markdown table of the mutants and of the test that finds each."""
    rows = [
        f"| {mutant.name} | {mutant.fault} | `{mutant.file}` | `{mutant.test_file}` {_words(mutant)} |"
        for mutant in MUTANTS
    ]
    return "\n".join(["| mutant | fault | in | found by |", "|---|---|---|---|", *rows])


def _words(mutant: Mutant) -> str:
    return mutant.test_name.removeprefix("test_").replace("_", " ")
