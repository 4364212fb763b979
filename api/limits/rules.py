"""The rules: what is let through, held or refused. Pure; docs/limits.md is the same in words.

An enquiry with a good start token is never refused for its network address, which thousands of phones may share.
"""

from __future__ import annotations

from dataclasses import dataclass

from api.limits.start_token import Start
from leads.outbox.holds import Held

MINUTE, TEN_MINUTES, HOUR, DAY = 60, 600, 3600, 86_400
# Above this multiple of its budget a suspicious request is refused instead of held.
REFUSE_MULTIPLE = 5
# Clicks are short rows without a token, and a busy network's phones send many.
REFUSE_CLICKS_MULTIPLE = 10
# Failures that pages behind one network address, and all pages, may report within an hour. An alarm needs more than
# one address can report in two (deploy/alerts.yml).
PAGE_FAILURES_PER_ADDRESS = 5
PAGE_FAILURES_PER_HOUR = 2000
# Changes of what is added to one enquiry within an hour.
DETAILS_PER_ENQUIRY = 60
# A person may enquire again from the same page.
MAX_ENQUIRIES_PER_TOKEN = 3
# The part of an hour's budget that may be used within a minute: a flood of seconds gets no more.
MINUTE_SHARE = 20
# Work is asked for from this part of a budget on, before the budget is used up.
BUSY_SHARE = 2
# Held rows of each kind that are stored within a day, from everywhere.
MAX_HELD_A_DAY = 10_000


@dataclass(frozen=True, slots=True)
class Budgets:
    """The settings: enquiries and clicks in ten minutes, a person's enquiries in a day.

    `let_through`: enquiries, and clicks, that go to the CRM within an hour without being held.
    """

    leads_per_address: int
    leads_per_person: int
    clicks_per_address: int
    let_through: int

    @property
    def let_through_in_a_minute(self) -> int:
        """The same within a minute."""
        return max(1, self.let_through // MINUTE_SHARE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`held`: stored with this reason. `refused`: not stored, a 429. Neither: let through.

    `is_short`: its long texts are cut, as its network has stored a day's worth of held rows.
    """

    held: Held | None = None
    refused: bool = False
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class LeadCounts:
    """Enquiries of the network, this one included, with a good start token or without, as this one.

    person: those of them with its e-mail address or its phone number, the higher.
    """

    address: int
    person: int = 0


def mark_of(start: Start, token: int, *, honeypot: bool) -> Held | None:
    """Return what is against an enquiry itself, the `token`-th of its start token; None: it has a good token."""
    if honeypot:
        return Held.HONEYPOT
    return start.problem or (Held.REPLAYED if token > MAX_ENQUIRIES_PER_TOKEN else None)


def judge_lead(budgets: Budgets, counts: LeadCounts, start: Start, mark: Held | None) -> Verdict:
    """Return the verdict on an enquiry, but for the budget of all together.

    Args:
        budgets: The settings.
        counts: How many came before it.
        start: Its start token.
        mark: What is against the enquiry itself.

    Returns:
        Refused, held for the first reason that applies, or let through.
    """
    if mark:
        return Verdict(mark, refused=counts.address > budgets.leads_per_address * REFUSE_MULTIPLE)
    if counts.person > budgets.leads_per_person:
        return Verdict(Held.PERSON)
    if counts.address > budgets.leads_per_address and not start.worked:
        return Verdict(Held.ADDRESS)
    return Verdict()


def judge_click(budgets: Budgets, address: int, *, honeypot: bool) -> Verdict:
    """Return the verdict on a click, the `address`-th of its network address in ten minutes."""
    if address > budgets.clicks_per_address * REFUSE_CLICKS_MULTIPLE:
        return Verdict(refused=True)
    if honeypot:
        return Verdict(Held.HONEYPOT)
    return Verdict(Held.ADDRESS if address > budgets.clicks_per_address else None)
