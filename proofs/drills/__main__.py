"""`python -m proofs.drills`: run the drills and print the results."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proofs.drills.drill import drill
from proofs.drills.run import run_drill
from proofs.harness.cli import Prove, arguments, list_cases, run_cases
from proofs.harness.servers import Servers


@contextmanager
def opened(options: Namespace, folder: Path) -> Iterator[Prove]:
    """Start the servers that all drills share."""
    with Servers(folder / "servers") as servers:
        yield lambda case: run_drill(case, servers, folder, seed=options.seed, short=options.short)


def main() -> int:
    """Run the chosen drills; returns 1 if a property does not hold."""
    parser = arguments(
        "proofs.drills",
        "Shows the delivery properties with real processes. Default: the long set, up to an hour.",
        one="N",
    )
    parser.add_argument(
        "--short",
        action="store_true",
        help="the short set: takes minutes, with a shorter lease",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of every random choice (default: %(default)s)")
    options = parser.parse_args()
    if options.list:
        print("\n".join(list_cases(drill, options, 4)))
        print("  30  After every drill: the attempts log equals the CRM's ledger, to the row")
        return 0
    return run_cases(options, drill.choose(options.only, short=options.short), opened)


if __name__ == "__main__":
    sys.exit(main())
