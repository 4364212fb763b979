"""Runs the product from its plan to its end: says where everything is, and stops on a signal."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType

from dev.run.checks import check_database
from dev.run.child import Output
from dev.run.lock import LauncherLock
from dev.run.plan import Plan, read_plan
from dev.run.preflight import check_ports
from dev.run.product import Product
from dev.run.started import StartedProcesses
from dev.run.wrap_command import ephemeral_plan, wrap_command

_SAME_SIGNAL_SECONDS = 1.0


def launch(env_file: Path) -> int:
    """Run the product until it is told to stop; returns the exit code."""
    return _run(read_plan(os.environ, env_file), [])


def launch_around(command: list[str], image: Path | None = None) -> int:
    """Run `command` against a product of its own; returns the command's exit code.

    With `image`, the root folder of a container's image, the product's processes run inside it, which needs root.
    """
    with tempfile.TemporaryDirectory(prefix="clinic-") as folder:
        return _run(replace(ephemeral_plan(os.environ, Path(folder)), image=image, crowded=image is None), command)


def _run(plan: Plan, command: list[str]) -> int:
    begun = time.monotonic()
    with LauncherLock(plan.data) as lock, StartedProcesses(lock.record) as started:
        if left := started.end_leftovers():
            print(f"Ended what a killed launcher had left running: {', '.join(left)}")
        check_ports(plan)
        check_database(plan)
        output = Output(plan.data / "logs", quiet=bool(command))
        product = Product(plan, output, started)
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
    kept = "" if plan.environ.get("FLOWER_BASIC_AUTH") else f"   (kept in {product.password_file})"
    sandbox = f"the sandbox (no Zoho credentials set): {plan.sandbox_url}"
    rows = [
        ("Site", plan.base_url),
        ("API docs", f"{plan.base_url}/api/openapi.json"),
        ("Flower", f"{plan.flower_url}   user {user}, password {password}{kept}"),
        ("CRM", sandbox if plan.sandbox else f"Zoho CRM, data centre {center}"),
        ("Mail", f"{plan.sandbox_url}   (the sandbox receives it)" if plan.sandbox_mail else "by SMTP_URL"),
        ("Queue", f"{plan.flower_url}/outbox   (or make ops CMD=status, waiting, show, redrive)"),
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
