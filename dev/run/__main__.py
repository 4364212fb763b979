"""`python -m dev.run` runs the product until Ctrl-C; `--ephemeral -- COMMAND…` runs it around one command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from dev.run.checks import check_database, check_ports
from dev.run.lock import Claim
from dev.run.output import Output
from dev.run.plan import ROOT, PlanError, ephemeral_plan, read_plan
from dev.run.product import Product
from dev.run.summary import summary
from dev.run.wrap_command import run_around
from dev.servers.server_process import ServerError

if TYPE_CHECKING:
    from types import FrameType

    from dev.run.plan import Plan

_SAME_SIGNAL_SECONDS = 1.0


def main() -> int:
    """Run as the words of the command line say; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m dev.run", description=__doc__)
    parser.add_argument("--ephemeral", action="store_true", help="free ports and a temporary data directory")
    parser.add_argument(
        "--env-file", type=Path, default=ROOT / ".env", help="settings; default: .env beside the Makefile"
    )
    parser.add_argument("command", nargs="*", help="with --ephemeral: what to run against the product")
    words = parser.parse_args()
    if bool(words.command) != words.ephemeral:
        parser.error("a command goes with --ephemeral, and only with it")
    try:
        if not words.ephemeral:
            return _run(read_plan(os.environ, words.env_file), [])
        with tempfile.TemporaryDirectory(prefix="clinic-") as folder:
            return _run(ephemeral_plan(os.environ, Path(folder)), words.command)
    except (PlanError, ServerError) as error:
        print(f"\n{error}\n", file=sys.stderr)
        return 1


def _run(plan: Plan, command: list[str]) -> int:
    begun = time.monotonic()
    with Claim(plan.data) as claim:
        if left := claim.end_leftovers():
            print(f"Ended what a killed launcher had left running: {', '.join(left)}")
        check_ports(plan)
        check_database(plan)
        output = Output(plan.data / "logs", quiet=bool(command))
        product = Product(plan, output, claim)
        _stop_on_signals(product)
        output.say("Starting the product")
        try:
            if product.start():
                took = time.monotonic() - begun
                output.say(f"  all ready in {took:.1f} s\n" if command else summary(product, took))
                if command:
                    return run_around(product, command)
                while not product.stopping.wait(0.2) and not product.keeper.failed.is_set():
                    pass
            return 1 if product.keeper.failed.is_set() else 0
        finally:
            _stop(product, output)
            output.close()


def _stop(product: Product, output: Output) -> None:
    if not product.keeper.parts:
        return
    begun = time.monotonic()
    output.say("\nStopping the product (Ctrl-C again: at once)")
    product.stop()
    output.say(f"Everything has stopped after {time.monotonic() - begun:.1f} s")


def _stop_on_signals(product: Product) -> None:
    first_at = 0.0

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal first_at
        if not product.stopping.is_set():
            first_at = time.monotonic()
            product.stopping.set()
        # The same signal comes twice when a whole group is signalled and make passes its own on.
        elif time.monotonic() - first_at > _SAME_SIGNAL_SECONDS:
            product.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


if __name__ == "__main__":
    sys.exit(main())
