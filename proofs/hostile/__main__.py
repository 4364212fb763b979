"""`python -m proofs.hostile`: start the product, attack it, and say which promises were kept."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from proofs.harness.cli import Prove, arguments, list_cases, run_cases
from proofs.harness.servers import Servers
from proofs.hostile.case import case
from proofs.hostile.run import run_case
from proofs.hostile.target import Target


@contextmanager
def opened(options: Namespace, folder: Path) -> Iterator[Prove]:
    """Start the servers and the site that all cases attack."""
    with Servers(folder / "servers") as servers, closing(Target(servers, folder, short=options.short)) as target:
        yield partial(run_case, target=target)


def main() -> int:
    """Run the chosen cases; returns 1 if a promise was broken."""
    parser = arguments("proofs.hostile", __doc__, one="CASE")
    parser.add_argument("--short", action="store_true", help="the short set, which runs within the tests")
    options = parser.parse_args()
    if options.list:
        print("\n".join(list_cases(case, options, -34)))
        return 0
    return run_cases(options, case.choose(options.only, short=options.short), opened)


if __name__ == "__main__":
    sys.exit(main())
