"""`python -m proofs.incidents`: stage incidents, time what operators see, follow the runbook, write the report."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from proofs.drills.run import run_drill
from proofs.harness.case import Result
from proofs.harness.cli import Prove, arguments, list_cases, run_cases
from proofs.harness.page import machine, merged, table, today
from proofs.harness.servers import Servers
from proofs.incidents.alarms import SCRAPE_SECONDS
from proofs.incidents.incident import incident

ORACLES_FIRST = "most calls in flight"  # of its figures, which say nothing of what operators see
HEADINGS = ("incident", "what happens", "result", "seconds", "run")


@contextmanager
def opened(_options: Namespace, folder: Path) -> Iterator[Prove]:
    """Start the servers that all incidents share."""
    with Servers(folder / "servers") as servers:
        yield lambda case: run_drill(case, servers, folder, seed=1, short=False)


def page(results: Sequence[Result], _options: Namespace, before: str = "") -> str:
    """The Markdown page; rows of an earlier page stay unless these results replace them."""
    rows = merged(
        before,
        {result.case.key: _cells(result) for result in results},
        (case.key for case in incident.choose()),
    )
    head = f"""\
# Incidents

{today()}, `make incident`: each is staged on a product of its own, with Flower, the command line and a real
Prometheus that has the product's [alarms](../deploy/alerts.yml) (asked every {SCRAPE_SECONDS:g} s here, every 15 s
as delivered). What rings goes through a real Alertmanager to a webhook, by
[its configuration](../deploy/alertmanager.yml), but without its waits for more of the same. The seconds are those
until the cause stands in each. Then its section of the [runbook](runbook.md) is followed, by the commands that
stand there, until all three say that all is well.
{machine("celery", "sqlalchemy", "psycopg")}
"""
    return "\n".join([head, *table(HEADINGS, rows.values()), ""])


def _cells(result: Result) -> list[str]:
    seen = takewhile(lambda figure: figure[0] != ORACLES_FIRST, result.figures.items())
    return [
        result.case.key,
        result.case.promise,
        "as promised" if result.holds else "**not so**: " + "; ".join(result.wrong),
        "; ".join(f"{name} {value}" for name, value in seen),
        f"{result.at:%Y-%m-%d}, {result.seconds:.0f} s",
    ]


def main() -> int:
    """Stage the chosen incidents; returns 1 if one goes otherwise than promised."""
    parser = arguments("proofs.incidents", "Stages incidents and times what operators see.", one="NAME")
    options = parser.parse_args()
    if options.list:
        print("\n".join(list_cases(incident, options, -9)))
        return 0
    return run_cases(options, incident.choose(options.only), opened, page)


if __name__ == "__main__":
    sys.exit(main())
