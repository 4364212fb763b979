"""Asking the CRM stand-in what it has seen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import ProxyHandler, build_opener


@dataclass(frozen=True, slots=True)
class CrmStandIn:
    """A running stand-in on loopback."""

    port: int

    @property
    def url(self) -> str:
        """Its address, for the product's settings."""
        return f"http://127.0.0.1:{self.port}"

    def reset(self) -> None:
        """Forget all calls."""
        self._ask("/reset")

    def totals(self) -> dict[str, Any]:
        """`rows`, `calls`, `most_in_flight`, `first` and `last` (epoch seconds) of the calls since the reset."""
        return self._ask("/ledger")

    def arrivals(self) -> dict[str, float]:
        """When each row arrived (epoch seconds), by event id."""
        return dict(self._ask("/ledger?arrivals")["arrivals"])

    def _ask(self, path: str) -> dict[str, Any]:
        with build_opener(ProxyHandler({})).open(f"{self.url}{path}", timeout=30) as reply:
            answer: dict[str, Any] = json.load(reply)
        return answer
