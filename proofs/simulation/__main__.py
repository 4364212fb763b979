"""`python -m proofs.simulation`: run seeds, print what does not hold, write the report."""

from __future__ import annotations

import argparse
import math
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from dev.servers.postgres import EmbeddedPostgres
from proofs.simulation.database import make_template
from proofs.simulation.report import Totals, failure, line, page, replayed
from proofs.simulation.scenario import TROUBLES_KNOWN
from proofs.simulation.seeds import play, play_all

LAST_LINES = 60


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs.simulation", description="Delivery on a virtual clock; a seed decides everything."
    )
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds to run (default: %(default)s)")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="begin no further seed after so many minutes"
    )
    parser.add_argument("--replay", type=int, metavar="SEED", help="run one seed and print its schedule")
    parser.add_argument("--only", nargs="+", default=[], metavar="TROUBLE", help="draw from these troubles alone")
    parser.add_argument("--list", action="store_true", help="list the troubles")
    parser.add_argument("--jobs", type=int, default=1, help="runs side by side (default: %(default)s)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the results into this Markdown page")
    return parser.parse_args()


def main() -> int:
    """Run the seeds; returns 1 if one does not hold."""
    options = arguments()
    if options.list:
        print("\n".join(trouble.name for trouble in TROUBLES_KNOWN))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="clinic-simulation-")))
        server = stack.enter_context(EmbeddedPostgres(folder / "postgres", durable=False))
        make_template(server.url)
        if options.replay is not None:
            result = play(server.url, options.only, options.replay, traced=True)
            print(replayed(result))
            return 1 if result.violations else 0
        totals, started = Totals(), time.monotonic()
        seeds = range(options.first, options.first + options.seeds)
        for result in play_all(server.url, options.only, seeds, options.jobs):
            totals.add(result)
            print(line(result), flush=True)
            if result.violations:
                print(failure(result, LAST_LINES, options.only), flush=True)
            if time.monotonic() - started > options.minutes * 60:
                break
        totals.wall_seconds = time.monotonic() - started
    print(totals.summary())
    if options.report:
        options.report.write_text(page(totals))
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
