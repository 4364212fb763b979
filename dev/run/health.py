"""When a part of the product counts as ready, and waiting for all of them."""

from __future__ import annotations

import http.client
import time
from typing import TYPE_CHECKING

from dev.servers.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def answers(port: int, path: str) -> bool:
    """Whether http://127.0.0.1:port/path gives 200 within 2 s."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_ready(
    probes: Mapping[str, Callable[[], bool]],
    *,
    seconds: float,
    give_up: Callable[[], bool],
    say: Callable[[str], None],
) -> list[str]:
    """Wait for every probe, saying when each part became ready; gives the names of those that did not."""
    begun = time.monotonic()
    waiting = dict(probes)

    def look() -> bool:
        for name in [name for name, probe in waiting.items() if probe()]:
            del waiting[name]
            say(f"  {name:<12} ready after {time.monotonic() - begun:.1f} s")
        return not waiting or give_up()

    wait_until(look, seconds, every=0.1)
    return list(waiting)
