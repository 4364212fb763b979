"""`python -m tools.simulation`: run seeds, or with --cuts cut journeys; print what does not hold."""

import math
import os
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.pool import Pool
from random import Random

from tools.simulation.cutter import Cut, draw_pairs
from tools.simulation.journeys import JOURNEYS, Journey, play_journey
from tools.simulation.pool import side_by_side, simulation_server
from tools.simulation.run import Result, play_seed, play_until
from tools.simulation.scenario import TROUBLES_KNOWN


def options(known: Sequence[str] | None = None) -> Namespace:
    """Read the command line."""
    parser = ArgumentParser(
        prog="python -m tools.simulation",
        description="Delivery on a virtual clock: weeks of trouble that a seed decides, or one cut in a journey.",
    )
    number = partial(parser.add_argument, type=int)
    number("--seeds", default=100, help="how many seeds to run (default: %(default)s)")
    number("--from", dest="first", default=1, help="the first seed, which also draws pairs (default: %(default)s)")
    number("--replay", metavar="SEED", help="run one seed and print its schedule")
    number("--jobs", default=os.cpu_count() or 1, help="runs side by side (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="begin no further seed after so many minutes"
    )
    parser.add_argument("--cuts", action="store_true", help="cut every exchange of each journey once, in every way")
    number("--pairs", default=0, metavar="N", help="also N pairs of cuts for each journey (default: none)")
    parser.add_argument(
        "--cut", nargs="+", type=Cut.parse, default=[], metavar="CUT",
        help='run one journey with these cuts, such as "17:reply lost", and print its schedule',
    )  # fmt: skip
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="only these troubles, or with --cuts journeys"
    )
    parser.add_argument("--list", action="store_true", help="list the troubles and the journeys, and end")
    given = parser.parse_args(known)
    names = {one.name for one in (JOURNEYS if given.cuts or given.cut else TROUBLES_KNOWN)}
    if unknown := set(given.only) - names:
        parser.error(f"there is no {', '.join(sorted(unknown))}; see --list")
    if given.cut and len(given.only) != 1:
        parser.error("--cut needs one journey: --only NAME")
    return given


def main() -> int:
    """Run what was asked for; returns 1 if a run does not hold."""
    given = options()
    if given.list:
        print("Troubles:", *(f"  {trouble.name}" for trouble in TROUBLES_KNOWN), sep="\n")
        print("Journeys:", *(f"  {journey.name:14} {journey.about}" for journey in JOURNEYS), sep="\n")
        return 0
    for number in (signal.SIGTERM, signal.SIGINT):  # so that every child process is ended too
        signal.signal(number, signal.default_int_handler)
    with simulation_server() as server_url:
        journeys = [journey for journey in JOURNEYS if journey.name in given.only or not given.only]
        if given.cut:
            return _show(play_journey(server_url, journeys[0], given.cut, traced=True))
        if given.replay is not None:
            return _show(play_seed(server_url, given.only, given.replay, traced=True))
        with side_by_side(given.jobs) as pool:
            if given.cuts:
                return max([_cut(pool, server_url, journey, given) for journey in journeys])
            return _summed("seeds", _seeds(pool, server_url, given))


def _show(result: Result) -> int:
    print(*result.plan, *result.schedule, *(f"  ! {text}" for text in result.violations), result.line, sep="\n")
    return 1 if result.violations else 0


def _seeds(pool: Pool, server_url: str, given: Namespace) -> Iterator[Result]:
    until = time.time() + given.minutes * 60
    seeds = range(given.first, given.first + given.seeds)
    for result in pool.imap(partial(play_until, server_url, given.only, until), seeds):
        if result is None:
            return
        print(result.line, flush=True)
        yield result


def _cut(pool: Pool, server_url: str, journey: Journey, given: Namespace) -> int:
    """Run one journey as it is, with each cut, and with the pairs."""
    whole = play_journey(server_url, journey)
    singles = [(cut,) for exchange in whole.exchanges for cut in exchange.cuts()]
    pairs = [*draw_pairs(whole.exchanges, given.pairs, Random(f"{given.first}:{journey.name}"))]
    print(f"{journey.name}: {journey.about}; {len(whole.exchanges)} exchanges, {len(singles)} cuts …", flush=True)
    runs = pool.imap_unordered(partial(play_journey, server_url, journey), [*singles, *pairs], chunksize=4)
    return _summed(f"runs of {journey.name}", (run for some in ([whole], runs) for run in some))


def _summed(what: str, results: Iterable[Result]) -> int:
    """Print what does not hold, and one line of sums; 1 if a run does not hold."""
    began, run, failed, days = time.monotonic(), 0, 0, 0.0
    for result in results:
        run, failed, days = run + 1, failed + bool(result.violations), days + result.simulated_days
        if result.violations:
            print(result.failure(), flush=True)
    minutes = (time.monotonic() - began) / 60
    print(
        f"{run - failed:,} of {run:,} {what} hold; {days:,.0f} simulated days in {minutes:.1f} minutes", flush=True
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
