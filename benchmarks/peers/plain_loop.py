"""P5's peer: threads that send ready-made batches through the product's CRM client, and nothing else.

No claim, no mark, no log: a drain without a database and without regard to crashes.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

from benchmarks.payload import row
from leads.settings import read_settings
from worker.connect import zoho_config
from worker.crm.fields import mapping_config
from worker.crm.mapping import lead_record
from worker.zoho.client import ZohoClient


def main() -> None:
    """Make the batches, print "ready", wait for a line on standard input, send; prints the CPU seconds used."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.plain_loop")
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--in-flight", type=int, required=True)
    chosen = parser.parse_args()
    settings = read_settings()
    mapping = mapping_config(settings)
    numbers = range(chosen.rows)
    records = [lead_record({"id": uuid4(), "reference": "402117", **row(number)}, mapping) for number in numbers]
    size = settings.crm_batch_rows
    batches = [records[start : start + size] for start in range(0, len(records), size)]
    client = ZohoClient(zoho_config(settings), _NoStore())
    client.probe()
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.process_time()
    with ThreadPoolExecutor(chosen.in_flight) as pool:
        list(pool.map(partial(_send, client), batches))
    print(time.process_time() - began, flush=True)


def _send(client: ZohoClient, batch: list[dict[str, object]]) -> None:
    answers = client.upsert(batch, call_id=uuid4().hex)
    if not all(answer.ok for answer in answers):
        raise RuntimeError("the stand-in refused a row")


class _NoStore:
    """Keeps no token: the client's own lasts longer than a run."""

    def read(self) -> None:
        """See TokenStore."""

    def begin_mint(self, stale: str | None, *, spacing: float, lease: float) -> bool:  # noqa: ARG002
        """See TokenStore."""
        return True

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        """See TokenStore."""

    def fail_mint(self, *, spent: bool, wait_seconds: float, refusal: str | None = None) -> None:
        """See TokenStore."""

    def refusal(self) -> None:
        """See TokenStore."""

    def mint_wait(self) -> float:
        """See TokenStore."""
        return 0.0


if __name__ == "__main__":
    main()
