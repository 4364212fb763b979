"""`python -m proofs.simulation`: run seeds and print what does not hold."""

from __future__ import annotations

import math
import sys
import time
from argparse import Namespace

from proofs.simulation.options import arguments, end_in_order, pick
from proofs.simulation.pool import simulation_server
from proofs.simulation.report import Totals, failure, line, replayed
from proofs.simulation.scenario import TROUBLES_KNOWN
from proofs.simulation.seeds import play, play_all

LAST_LINES = 60


def options() -> Namespace:
    """Read the command line."""
    parser = arguments(
        "proofs.simulation", "Delivery on a virtual clock; a seed decides everything.", one="TROUBLE"
    )
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds to run (default: %(default)s)")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="begin no further seed after so many minutes"
    )
    parser.add_argument("--replay", type=int, metavar="SEED", help="run one seed and print its schedule")
    parser.add_argument("--jobs", type=int, default=1, help="runs side by side (default: %(default)s)")
    return parser.parse_args()


def main() -> int:
    """Run the seeds; returns 1 if one does not hold."""
    given = options()
    troubles = [trouble.name for trouble in pick(TROUBLES_KNOWN, given.only)]
    if given.list:
        print("\n".join(troubles))
        return 0
    end_in_order()
    with simulation_server() as server_url:
        if given.replay is not None:
            result = play(server_url, given.only, given.replay, traced=True)
            print(replayed(result))
            return 1 if result.violations else 0
        totals, started = Totals(), time.monotonic()
        seeds = range(given.first, given.first + given.seeds)
        for result in play_all(server_url, given.only, seeds, given.jobs, seconds=given.minutes * 60):
            totals.add(result)
            print(line(result), flush=True)
            if result.violations:
                print(failure(result, LAST_LINES, given.only), flush=True)
        totals.wall_seconds = time.monotonic() - started
    print(totals.summary())
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
