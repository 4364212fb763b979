"""A steady stream of leads over HTTP on a thread of its own, and the rate at which the CRM received them."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from tests.process.product import Product
from tests.process.site import Answer, Site


@contextmanager
def steady_load(product: Product, site: Site, rate: float) -> Iterator[list[Answer]]:
    """Post `rate` leads a second while the block runs; the list gets their answers."""
    over, answers = threading.Event(), list[Answer]()

    def post() -> None:
        due = time.monotonic()
        while not over.wait(max(0.0, due - time.monotonic())):
            answers.extend(product.post(site, 1, threads=1))
            # After an outage the load goes on at its rate, it does not catch up.
            due = max(due + 1 / rate, time.monotonic() - 1 / rate)

    thread = threading.Thread(target=post, daemon=True)
    thread.start()
    try:
        yield answers
    finally:
        over.set()
        thread.join(90)


def recovery(product: Product, since: float, rate: float) -> float:
    """Seconds from `since` (epoch) until the CRM gets 95 % of `rate` new records a second, over five seconds."""
    arrived: Counter[int] = Counter()
    for call in product.sandbox.calls(kind="api"):
        fresh = sum(result["action"] == "insert" for result in call["row_results"])
        arrived[int(datetime.fromisoformat(call["at"]).timestamp())] += fresh
    for second in range(int(since), max(arrived, default=0) + 1):
        if sum(arrived[second + step] for step in range(5)) >= 0.95 * rate * 5:
            return max(0.0, second - since)
    return float("inf")
