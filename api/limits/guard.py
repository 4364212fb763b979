"""The guard in front of the resources: counts a request and draws the verdict.

Personal values are hashed before they are counted.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from api.limits.counters import Counter, Counters
from api.limits.flood import FloodBreaker
from api.limits.rules import (
    DAY,
    HOUR,
    PAGE_FAILURES_PER_ADDRESS,
    PAGE_FAILURES_PER_HOUR,
    REFUSE_MULTIPLE,
    START_MULTIPLE,
    TEN_MINUTES,
    Budgets,
    LeadCounts,
    Verdict,
    judge_click,
    judge_complaint,
    judge_lead,
)
from api.limits.start_token import MAX_AGE_SECONDS, StartTokens
from leads.mail.mailbox import mailbox_of
from leads.network import network_of
from leads.outbox.holds import Held
from leads.tables.enquiries import CLIENT_LENGTH

log = logging.getLogger(__name__)


class TooMany(Exception):
    """The request is refused. `wait`: seconds until another one may be accepted."""

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Limits:
    """What the guard needs, made once for each application.

    note(kind, result) is called for each request that is refused ("refused") or held (the reason).
    """

    budgets: Budgets
    counters: Counters
    tokens: StartTokens
    breaker: FloodBreaker
    secret: bytes
    note: Callable[[str, str], None]

    def close(self) -> None:
        """End the connections and threads."""
        self.breaker.close()
        self.counters.close()


class Guard:
    """One verdict for each request; `TooMany` for those that are refused."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.tokens = limits.tokens

    def hash(self, kind: str, value: str) -> str:
        """Return a keyed hash of something about a person."""
        digest_size = CLIENT_LENGTH // 2
        text = f"{kind}\0{value}".encode(errors="surrogatepass")
        return hashlib.blake2b(text, key=self._limits.secret, digest_size=digest_size).hexdigest()

    def client(self, address: str | None) -> str:
        """Return the hash of a network address, IPv6 by /64."""
        return self.hash("client", network_of(address))

    def check_start(self, address: str | None) -> None:
        """Count a request for a start token."""
        counter = Counter(f"start.{self.client(address)}", TEN_MINUTES)
        (count,) = self._limits.counters.count([counter])
        if count > self._limits.budgets.leads_per_address * START_MULTIPLE:
            self._refuse("start", counter)

    def check_lead(
        self, values: Mapping[str, Any], *, address: str | None, token: str | None, key: str | None, honeypot: bool
    ) -> Held | None:
        """Return why an enquiry is held, None when it is let through.

        Args:
            values: The loaded body.
            address: The client's network address.
            token: The start token as sent.
            key: The idempotency key: a repeat is not counted again.
            honeypot: The hidden field was filled.

        Raises:
            TooMany: It is refused.
        """
        limits = self._limits
        start = limits.tokens.read(token)
        suspect = honeypot or start.problem is not None
        client, person = Counter(f"lead.{self.client(address)}", TEN_MINUTES), values["email"]
        counters = [
            client,
            Counter(f"email.{self.hash('email', mailbox_of(person))}", DAY),
            Counter(f"phone.{self.hash('phone', values['phone_e164'])}", DAY),
        ]
        if start.nonce:
            counters.append(Counter(f"token.{start.nonce}", MAX_AGE_SECONDS))
        limit = limits.budgets.leads_per_address * REFUSE_MULTIPLE
        counts = limits.counters.count(
            counters, seen=self.hash("key", key) if key else None, **({"stop_above": limit} if suspect else {})
        )
        known = LeadCounts(counts[0], max(counts[1:3], default=0), counts[3] if len(counts) > 3 else 0)  # noqa: PLR2004
        verdict = judge_lead(limits.budgets, known, start, limits.breaker.check(), honeypot=honeypot)
        self._tell_crowd("lead", client, counts[0], limits.budgets.leads_per_address)
        return self._apply("lead", verdict, client)

    def check_click(self, *, address: str | None, honeypot: bool) -> Held | None:
        """Return why a click is held, None when it is let through; `TooMany` when it is refused."""
        client = Counter(f"click.{self.client(address)}", TEN_MINUTES)
        (count,) = self._limits.counters.count([client])
        self._tell_crowd("click", client, count, self._limits.budgets.clicks_per_address)
        return self._apply("click", judge_click(self._limits.budgets, count, honeypot=honeypot), client)

    def check_complaint(self, *, address: str | None, honeypot: bool) -> Held | None:
        """Return why a complaint is held, None when it is let through; `TooMany` when it is refused."""
        client = Counter(f"complaint.{self.client(address)}", HOUR)
        (count,) = self._limits.counters.count([client])
        return self._apply("complaint", judge_complaint(self._limits.budgets, count, honeypot=honeypot), client)

    def takes_page_failure(self, address: str | None) -> bool:
        """Return whether a failure on a page is counted; one too many is not, without a word to the page."""
        client, everybody = Counter(f"page.{self.client(address)}", HOUR), Counter("page", HOUR)
        counts = self._limits.counters.count([client, everybody], stop_above=PAGE_FAILURES_PER_ADDRESS)
        takes = len(counts) > 1 and counts[0] <= PAGE_FAILURES_PER_ADDRESS and counts[1] <= PAGE_FAILURES_PER_HOUR
        if not takes:
            self._limits.note("page-failure", "refused")
        return takes

    def note_let_through(self) -> None:
        """Count a new enquiry on its way to the CRM towards the flood breaker."""
        self._limits.breaker.note_let_through()

    def _apply(self, kind: str, verdict: Verdict, counter: Counter) -> Held | None:
        if verdict.refused:
            self._refuse(kind, counter)
        if verdict.held:
            self._limits.note(kind, verdict.held)
        return verdict.held

    def _refuse(self, kind: str, counter: Counter) -> None:
        self._limits.note(kind, "refused")
        raise TooMany(counter.rest(time.time()))

    def _tell_crowd(self, kind: str, counter: Counter, count: int, limit: int) -> None:
        """One line for each network address and time window, without the address."""
        if count == limit + 1:
            log.warning("limits: more than %d %ss in ten minutes from one address (%s)", limit, kind, counter.name)
