"""The dated page of the drills' results."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence

from proofs.drills.drill import drill
from proofs.harness.case import Result
from proofs.harness.page import machine, merged, table, today

SECONDS = re.compile(r"(\d+) s, seed \d+ \|$")  # of a row of the page
VERSIONS = ("celery", "kombu", "redis", "sqlalchemy", "psycopg", "uvicorn", "flask", "requests")
HEADINGS = ("#", "property", "what was done", "result", "figures", "run")


def page(results: Sequence[Result], options: Namespace, before: str = "") -> str:
    """The Markdown page; rows of an earlier page, `before`, stay unless these results replace them."""
    kind = "short set (time compressed)" if options.short else "long set (the product's own settings)"
    rows = merged(
        before,
        {result.case.key: _cells(result, options.seed) for result in results},
        (case.key for case in drill.choose()),
    )
    held = sum(" | holds | " in row for row in rows.values())
    minutes = sum(int(found[1]) for row in rows.values() if (found := SECONDS.search(row))) / 60
    head = f"""\
# Delivery drills

{today()}, `python -m proofs.drills`, {kind}:
{held} of {len(rows)} drills hold, {minutes:.0f} minutes.
{machine(*VERSIONS)}

Oracle: the CRM sandbox's own ledger. After every drill: at most one record for each event id, every
accepted lead exactly one record with the right fields, sent rows never changed, no call before its
time, calls in flight within the cap, leases ended in time, mints within the limit, the attempts log
equal to the ledger, to the row (property 30), and each row's attempts a path of the table (property 41).
"""
    return "\n".join([head, *table(HEADINGS, rows.values()), ""])


def _cells(result: Result, seed: int) -> list[str]:
    return [
        result.case.key,
        result.case.promise,
        "; ".join(result.done),
        "holds" if result.holds else "**does not hold**: " + "; ".join(result.wrong),
        "; ".join(f"{name} {value}" for name, value in result.figures.items()),
        f"{result.at:%Y-%m-%d %H:%M} UTC, {result.seconds:.0f} s, seed {seed}",
    ]
