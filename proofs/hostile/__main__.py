"""`python -m proofs.hostile`: start the product, attack it, and say which promises were kept."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from proofs.drills.servers import Servers
from proofs.hostile.case import choose
from proofs.hostile.run import run_case, summary, write_table
from proofs.hostile.target import Target


def main() -> int:
    """Run the chosen cases; returns 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m proofs.hostile", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="CASE", help="these cases or kinds of cases only")
    parser.add_argument("--short", action="store_true", help="the short set, which runs within the tests")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the results into this page")
    options = parser.parse_args()
    cases = choose(options.only, short=options.short)
    if options.list:
        for one in cases:
            print(f"{one.key:34} {one.promise}")
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM too must end every child process
    folder = Path(tempfile.mkdtemp(prefix="clinic-hostile-"))
    results = []
    with Servers(folder / "servers") as servers:
        target = Target(servers, folder, short=options.short)
        try:
            for one in cases:
                results.append(run_case(one, target))
                print(results[-1].line, flush=True)
        finally:
            target.close()
    if options.report:
        options.report.write_text(write_table(options.report.read_text(), results))
    print(f"\n{summary(results)}")
    if any(result.broken for result in results):
        print(f"logs: {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
