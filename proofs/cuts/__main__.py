"""`python -m proofs.cuts`: cut every exchange of each journey once, in every way; print what does not hold."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing.pool import Pool
from random import Random

from proofs.cuts.cut import Cut, Exchange
from proofs.cuts.journeys import JOURNEYS, Journey
from proofs.cuts.report import Tally, failure, replayed
from proofs.cuts.run import play
from proofs.simulation.options import arguments, end_in_order, pick
from proofs.simulation.pool import side_by_side, simulation_server

LAST_LINES = 40


def options() -> Namespace:
    """Read the command line."""
    parser = arguments(
        "proofs.cuts", "Every exchange of a journey cut once, in every way, on a virtual clock.", one="JOURNEY"
    )
    parser.add_argument(
        "--pairs", type=int, default=0, metavar="N", help="also N pairs of cuts for each journey (default: none)"
    )
    parser.add_argument("--seed", type=int, default=1, help="chooses the pairs (default: %(default)s)")
    parser.add_argument(
        "--cut", nargs="+", type=Cut.parse, default=[], metavar="CUT",
        help='run one journey with these cuts, such as "17:reply lost", and print its schedule',
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="runs side by side (default: %(default)s)"
    )
    return parser.parse_args()


def main() -> int:
    """Run what was asked for; returns 1 if a cut breaks a promise."""
    given = options()
    journeys = pick(JOURNEYS, given.only)
    if given.list:
        print("\n".join(f"{journey.name:14} {journey.about}" for journey in journeys))
        return 0
    end_in_order()
    with simulation_server() as server_url:
        if given.cut:
            return _replay(server_url, journeys, given.cut)
        with side_by_side(given.jobs) as pool:
            return 1 if sum([_go_through(pool, server_url, journey, given) for journey in journeys]) else 0


def _replay(server_url: str, journeys: Sequence[Journey], cuts: Sequence[Cut]) -> int:
    if len(journeys) != 1:
        sys.exit("--cut needs one journey: --only NAME")
    verdict = play(server_url, journeys[0], cuts, traced=True)
    print(replayed(verdict))
    return 1 if verdict.violations else 0


def _go_through(pool: Pool, server_url: str, journey: Journey, given: Namespace) -> int:
    """Run one journey as it is, with each cut, and with the pairs; return how many runs do not hold."""
    began = time.monotonic()
    whole = play(server_url, journey)
    singles = [(cut,) for exchange in whole.exchanges for cut in exchange.cuts()]
    pairs = [*_pairs(whole.exchanges, given.pairs, Random(f"{given.seed}:{journey.name}"))]
    tally = Tally(journey, whole.exchanges, len(singles), len(pairs))
    print(f"{journey.name}: {journey.about}; {len(whole.exchanges)} exchanges, {len(singles)} cuts …", flush=True)
    tally.add(whole)
    for verdict in pool.imap_unordered(partial(play, server_url, journey), [*singles, *pairs], chunksize=4):
        tally.add(verdict)
        if verdict.violations:
            print(failure(play(server_url, journey, verdict.cuts, traced=True), LAST_LINES), flush=True)
    tally.seconds = time.monotonic() - began
    print(tally.line(), flush=True)
    return len(tally.failed)


def _pairs(exchanges: Sequence[Exchange], number: int, chance: Random) -> Iterator[tuple[Cut, Cut]]:
    """Some pairs of cuts, of different exchanges. After the first one the numbers are those of the cut journey."""
    for _ in range(number):
        first, second = sorted(chance.sample(exchanges, 2), key=lambda exchange: exchange.number)
        yield chance.choice(first.cuts()), chance.choice(second.cuts())


if __name__ == "__main__":
    sys.exit(main())
