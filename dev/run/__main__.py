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
from dev.run.child import Output
from dev.run.lock import LauncherLock
from dev.run.plan import PlanError, ephemeral_plan, read_plan
from dev.run.product import Product
from dev.run.wrap_command import wrap_command
from dev.servers.server_process import ROOT, ServerError

if TYPE_CHECKING:
    from types import FrameType

    from dev.run.plan import Plan

_SAME_SIGNAL_SECONDS = 1.0


def main() -> int:
    """Run as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m dev.run", description=__doc__)
    parser.add_argument("--ephemeral", action="store_true", help="use free ports and a temporary data directory")
    parser.add_argument(
        "--env-file", type=Path, default=ROOT / ".env", help="settings (default: .env beside the Makefile)"
    )
    parser.add_argument("command", nargs="*", help="with --ephemeral: what to run against the product")
    options = parser.parse_args()
    if bool(options.command) != options.ephemeral:
        parser.error("--ephemeral needs a command, and a command needs --ephemeral")
    try:
        if not options.ephemeral:
            return _run(read_plan(os.environ, options.env_file), [])
        with tempfile.TemporaryDirectory(prefix="clinic-") as folder:
            return _run(ephemeral_plan(os.environ, Path(folder)), options.command)
    except (PlanError, ServerError) as error:
        print(f"\n{error}\n", file=sys.stderr)
        return 1


def _run(plan: Plan, command: list[str]) -> int:
    begun = time.monotonic()
    with LauncherLock(plan.data) as lock:
        if left := lock.end_leftovers():
            print(f"Ended what a killed launcher had left running: {', '.join(left)}")
        check_ports(plan)
        check_database(plan)
        output = Output(plan.data / "logs", quiet=bool(command))
        product = Product(plan, output, lock)
        _stop_on_signals(product)
        output.say("Starting the product")
        try:
            if product.start():
                took = time.monotonic() - begun
                output.say(f"  all ready in {took:.1f} s\n" if command else _summary(product, took))
                if command:
                    return wrap_command(product, command)
                while not product.stopping.wait(0.2) and not product.supervisor.failed.is_set():
                    pass
            return 1 if product.supervisor.failed.is_set() else 0
        finally:
            _stop(product, output)
            output.close()


def _summary(product: Product, took: float) -> str:
    """The addresses, Flower's login and the data directory, as text; `took` is in seconds."""
    plan = product.plan
    user, _, password = product.flower_login.partition(":")
    center = plan.environ.get("ZOHO_DATA_CENTER") or "EU"
    sandbox = f"the sandbox (no Zoho credentials set): {plan.sandbox_url}"
    rows = [
        ("Site", plan.base_url),
        ("API docs", f"{plan.base_url}/api/openapi.json"),
        ("Flower", f"{plan.flower_url}   user {user}, password {password}"),
        ("CRM", sandbox if plan.sandbox else f"Zoho CRM, data centre {center}"),
        ("Mail", f"{plan.sandbox_url}   (the sandbox receives it)" if plan.sandbox_mail else "by SMTP_URL"),
        ("Queue", f"{plan.flower_url}/outbox   (or make ops CMD=status, waiting, dead, show, redrive)"),
        ("Data", f"{plan.data}   (logs in {plan.data / 'logs'})"),
    ]
    lines = "\n".join(f"  {name:<9} {value}" for name, value in rows)
    return f"\nThe product runs (ready in {took:.1f} s)\n\n{lines}\n\n  Ctrl-C stops everything.\n"


def _stop(product: Product, output: Output) -> None:
    if not product.supervisor.parts:
        return
    begun = time.monotonic()
    output.say("\nStopping the product (Ctrl-C again: kill at once)")
    product.stop()
    output.say(f"Everything has stopped after {time.monotonic() - begun:.1f} s")


def _stop_on_signals(product: Product) -> None:
    first_at = 0.0

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal first_at
        if not product.stopping.is_set():
            first_at = time.monotonic()
            product.stopping.set()
        # The signal comes twice when a whole group gets it and make forwards its own.
        elif time.monotonic() - first_at > _SAME_SIGNAL_SECONDS:
            product.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


if __name__ == "__main__":
    sys.exit(main())
