"""Running one case, and writing down how all went."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from proofs.harness.case import Case, Result, judged, require
from proofs.harness.page import machine, merged, table, today
from proofs.hostile.case import case
from proofs.hostile.target import Target

MARKS = "<!-- results -->", "<!-- end of the results -->"


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


def page(results: Sequence[Result], _options: Namespace, before: str) -> str:
    """The page with these results between its marks; the text around them and the rows of other cases stay."""
    head, _, rest = before.partition(MARKS[0])
    old, _, tail = rest.partition(MARKS[1])
    new = {result.case.key: _cells(result) for result in results}
    rows = merged(old, new, (attack.key for attack in case.choose()))
    kept = sum("| kept: " in row for row in rows.values())
    lines = [
        f"{today()}, `make hostile`: {kept} of {len(rows)} promises kept.",
        machine("uvicorn", "httptools"),
        "",
        *table(("case", "promise", "result"), rows.values()),
    ]
    return f"{head}{MARKS[0]}\n\n" + "\n".join(lines) + f"\n\n{MARKS[1]}{tail}"


def _cells(result: Result) -> list[str]:
    found = f"**broken**: {'; '.join(result.wrong)}" if result.failed else f"kept: {'; '.join(result.done)}"
    return [f"`{result.case.key}`", result.case.promise, found]
