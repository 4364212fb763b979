"""One command run against a product of its own: that product's plan, the command's environment and exit code.

When the command fails, the last warnings of the product's logs are shown.
"""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from dev.run.plan import Plan
from dev.run.product import Product
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until


def ephemeral_plan(environ: Mapping[str, str], data: Path) -> Plan:
    """A plan on free ports that touches nothing but `data`: no `.env`, no real database, broker or CRM."""
    stores, messages = ("DATABASE_URL", "REDIS_URL"), ("SMTP_", "MAIL_", "STAFF_", "LEAD_WEBHOOK_")
    ours = ("ZOHO_", "FLOWER_", "METRICS_", *stores, *messages)
    values = {name: value for name, value in environ.items() if not name.startswith(ours)}
    ports = {free_port() for _ in range(20)}
    return Plan(
        data=data,
        port=ports.pop(),
        flower_port=ports.pop(),
        sandbox_port=ports.pop(),
        # The suite's visitors all come from this machine, and type faster than people.
        crowded=True,
        environ=values,
    )


def wrap_command(product: Product, command: list[str]) -> int:
    """Run `command` and return its exit code (128 + n for signal n), or 1 when the product failed meanwhile."""
    plan = product.plan
    addresses = {"BASE_URL": plan.base_url, "SANDBOX_URL": plan.sandbox_url, "FLOWER_URL": plan.flower_url}
    try:
        child = subprocess.Popen(command, env=product.environ | addresses)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}")
        return 127

    def over() -> bool:
        return child.poll() is not None or product.stopping.is_set() or product.supervisor.failed.is_set()

    while not wait_until(over, 3600):
        pass
    if child.poll() is None:
        child.terminate()
    code = child.wait()
    if code:
        _show_logs(product)
    return 1 if product.supervisor.failed.is_set() else code if code >= 0 else 128 - code


def _show_logs(product: Product) -> None:
    for name in ("web", "worker"):
        log = product.plan.data / "logs" / f"{name}.log"
        with log.open(errors="replace") as lines:
            # Few, so that the command's own last words stay in sight.
            if warnings := deque((line for line in lines if " INFO " not in line), 4):
                print(f"--- {log.name}, without what went well\n{''.join(warnings)}")
