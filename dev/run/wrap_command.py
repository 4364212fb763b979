"""One command run against the running product: its environment, its exit code, the logs when it failed."""

from __future__ import annotations

import subprocess
from collections import deque
from typing import TYPE_CHECKING

from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    from dev.run.product import Product


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
            print(f"--- the end of {log.name}\n{''.join(deque(lines, 20))}")
