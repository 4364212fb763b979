"""The guard in front of the resources: counts a request and draws the verdict.

Personal values are hashed before they are counted.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from api.limits.counters import Counter, Counters
from api.limits.rules import (
    BUSY_SHARE,
    DAY,
    DETAILS_PER_ENQUIRY,
    HOUR,
    MAX_ENQUIRIES_PER_TOKEN,
    MAX_HELD_A_DAY,
    MINUTE,
    PAGE_FAILURES_PER_ADDRESS,
    PAGE_FAILURES_PER_HOUR,
    TEN_MINUTES,
    Budgets,
    LeadCounts,
    Verdict,
    judge_click,
    judge_lead,
    mark_of,
)
from api.limits.start_token import MAX_AGE_SECONDS, StartTokens
from leads.ids import created_at
from leads.mailbox import mailbox_of
from leads.network import network_of
from leads.outbox.holds import MAX_HELD_PER_CLIENT, Held

log = logging.getLogger(__name__)

# How long details can be added to an enquiry: until staff have called.
DETAILS_SECONDS = 7 * DAY


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
    secret: bytes
    note: Callable[[str, str], None]

    @property
    def is_flood(self) -> bool:
        """Whether enquiries or clicks of this minute or the last one are held for `flood`."""
        limit = self.budgets.let_through_in_a_minute
        return any(max(self.counters.recent(_minute(kind))) > limit for kind in ("lead", "click"))

    def close(self) -> None:
        """End the connections and threads."""
        self.counters.close()


class Guard:
    """One verdict for each request; `TooMany` for those that are refused."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.tokens = limits.tokens

    def hash(self, kind: str, value: str) -> str:
        """Return a keyed hash of something about a person."""
        text = f"{kind}\0{value}".encode(errors="surrogatepass")
        return hashlib.blake2b(text, key=self._limits.secret, digest_size=12).hexdigest()

    def client(self, address: str | None) -> str:
        """Return the hash of a network address, IPv6 by /64."""
        return self.hash("client", network_of(address))

    def asks_for_work(self, address: str | None) -> bool:
        """Whether an enquiry needs proof of work soon: this network or the whole site is busy."""
        budgets = self._limits.budgets
        busy = (
            (_address("lead", self.client(address)), budgets.leads_per_address),
            (_minute("lead"), budgets.let_through_in_a_minute),
            (_hour("lead"), budgets.let_through),
        )
        return any(max(self._limits.counters.recent(counter)) * BUSY_SHARE >= limit for counter, limit in busy)

    def check_lead(
        self, values: Mapping[str, Any], *, address: str | None, token: str | None, key: str | None, honeypot: bool
    ) -> Verdict:
        """Return whether an enquiry is let through or held.

        Args:
            values: The loaded body.
            address: The client's network address.
            token: The start token as sent.
            key: The idempotency key: a repeat is not counted again.
            honeypot: The hidden field was filled.

        Raises:
            TooMany: It is refused.
        """
        count, budgets = self._limits.counters.count, self._limits.budgets
        start, client = self._limits.tokens.read(token), self.client(address)
        seen = self.hash("key", key) if key else None
        mark, counts = mark_of(start, 0, honeypot=honeypot), [0]
        if mark is None:
            people = ("email", mailbox_of(values["email"])), ("phone", values["phone_e164"])
            counts = count(
                [
                    Counter(f"token.{start.nonce}", MAX_AGE_SECONDS),
                    _address("lead", client),
                    # By network, so that nobody uses up another person's budget.
                    *(Counter(f"{kind}.{client}.{self.hash(kind, value)}", DAY) for kind, value in people),
                ],
                seen=seen,
                stop_above=MAX_ENQUIRIES_PER_TOKEN,
            )
            mark = mark_of(start, counts[0], honeypot=False)
        # What has something against it has a budget of its own: it must not use up that of honest visitors.
        counted = _address("lead", client)
        if mark:
            counted = _address("suspect", client)
            known = LeadCounts(count([counted], seen=seen)[0])
        else:
            known = LeadCounts(counts[1], max(counts[2:]))
        self._tell_crowd("lead", counted, known.address, budgets.leads_per_address)
        verdict = judge_lead(budgets, known, start, mark)
        return self._apply("lead", verdict, counted, client=client, seen=seen, worked=start.worked)

    def check_click(self, *, address: str | None, honeypot: bool) -> Verdict:
        """Return whether a click is let through or held; `TooMany` when it is refused."""
        client = self.client(address)
        counted = _address("click", client)
        (count,) = self._limits.counters.count([counted])
        self._tell_crowd("click", counted, count, self._limits.budgets.clicks_per_address)
        verdict = judge_click(self._limits.budgets, count, honeypot=honeypot)
        return self._apply("click", verdict, counted, client=client)

    def takes_page_failure(self, address: str | None) -> bool:
        """Return whether a failure on a page is counted; one too many is not, without a word to the page."""
        client, everybody = Counter(f"page.{self.client(address)}", HOUR), Counter("page", HOUR)
        counts = self._limits.counters.count([client, everybody], stop_above=PAGE_FAILURES_PER_ADDRESS)
        takes = len(counts) > 1 and counts[0] <= PAGE_FAILURES_PER_ADDRESS and counts[1] <= PAGE_FAILURES_PER_HOUR
        if not takes:
            self._limits.note("page-failure", "refused")
        return takes

    def details_token(self, lead_id: UUID) -> str:
        """Return what lets its holder add details to a lead."""
        return f"{lead_id.hex}.{self.hash('details', lead_id.hex)}"

    def check_details(self, token: str) -> UUID | None:
        """Return the lead that a token is for, None for one that is not ours or too old; `TooMany` for too many."""
        name, _, _ = token.partition(".")
        try:
            lead_id = UUID(hex=name)
        except ValueError:
            return None
        if not hmac.compare_digest(token.encode(errors="replace"), self.details_token(lead_id).encode()):
            return None
        if time.time() - created_at(lead_id) > DETAILS_SECONDS:
            return None
        counted = Counter(f"details.{self.hash('lead', lead_id.hex)}", HOUR)
        (count,) = self._limits.counters.count([counted])
        if count > DETAILS_PER_ENQUIRY:
            self._refuse("details", counted)
        return lead_id

    def note_conflict(self) -> None:
        """Count an idempotency key that was used before with other data."""
        self._limits.note("lead", "conflict")

    def _apply(  # noqa: PLR0913 - keywords, what is known of the request
        self,
        kind: str,
        verdict: Verdict,
        counted: Counter,
        *,
        client: str,
        seen: str | None = None,
        worked: bool = False,
    ) -> Verdict:
        """Draw in what all together use: let through, or stored as held."""
        if verdict.refused:
            self._refuse(kind, counted)
        if not verdict.held and self._is_one_too_many(kind, seen, worked=worked):
            verdict = Verdict(Held.FLOOD)
        if not verdict.held:
            return verdict
        per_client, in_all = Counter(f"held.{kind}.{client}", DAY), Counter(f"held.{kind}", DAY)
        # Beyond its share an address does not use up that of all: workers delete its oldest rows.
        counts = self._limits.counters.count(
            [per_client, in_all], seen=seen and f"h{seen}", stop_above=MAX_HELD_PER_CLIENT
        )
        if len(counts) > 1 and counts[1] > MAX_HELD_A_DAY and not worked:
            self._refuse(kind, in_all)
        self._limits.note(kind, verdict.held)
        return replace(verdict, is_short=counts[0] > MAX_HELD_PER_CLIENT)

    def _is_one_too_many(self, kind: str, seen: str | None, *, worked: bool) -> bool:
        """Count what would go to the CRM at once. What proves work has a budget of its own, of the same size."""
        pile, budgets, counters = f"{kind}.worked" if worked else kind, self._limits.budgets, self._limits.counters
        minute, limit = _minute(pile), budgets.let_through_in_a_minute
        counts = counters.count([minute, _hour(pile)], seen=seen and f"f{seen}", stop_above=limit)
        # The last minute's budget comes back by and by, or the turn of a minute would double it.
        last = min(limit, counters.recent(minute)[1]) * minute.rest(time.time()) / minute.seconds
        if counts[0] == limit + 1 or counts[-1] == budgets.let_through + 1:
            log.error("flood: more %ss than usual; further ones are held until they prove to be real", pile)
        return counts[0] + last > limit or counts[-1] > budgets.let_through

    def _refuse(self, kind: str, counter: Counter) -> None:
        self._limits.note(kind, "refused")
        raise TooMany(counter.rest(time.time()))

    def _tell_crowd(self, kind: str, counter: Counter, count: int, limit: int) -> None:
        """One line for each network address and time window, without the address."""
        if count == limit + 1:
            log.warning("limits: more than %d %ss in ten minutes from one address (%s)", limit, kind, counter.name)


def _address(kind: str, client: str) -> Counter:
    return Counter(f"{kind}.{client}", TEN_MINUTES)


def _minute(pile: str) -> Counter:
    return Counter(f"minute.{pile}", MINUTE)


def _hour(pile: str) -> Counter:
    return Counter(f"hour.{pile}", HOUR)
