"""The rules: what is let through, held or refused. Pure; docs/limits.md is the same in words.

An enquiry with a good start token is never refused for its network address, which thousands of phones may share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from api.limits.flood import Flood
from api.limits.start_token import Start
from leads.outbox.holds import Held

TEN_MINUTES, HOUR, DAY = 600, 3600, 86_400
# Above this multiple of its budget a suspicious request is refused instead of held.
REFUSE_MULTIPLE = 5
# Clicks are short rows without a token, and a busy network's phones send many.
REFUSE_CLICKS_MULTIPLE = 10
# Start tokens that one network address gets, as a multiple of its enquiries.
START_MULTIPLE = 50
# Failures that pages behind one network address, and all pages, may report within an hour. An alarm needs more than
# one address can report in two (deploy/alerts.yml).
PAGE_FAILURES_PER_ADDRESS = 5
PAGE_FAILURES_PER_HOUR = 2000
# A person may enquire again from the same page.
MAX_ENQUIRIES_PER_TOKEN = 3
# People take longer to type name, address and phone number; autofill and programs do not. Checked only in a flood.
TYPING_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Budgets:
    """The settings: enquiries and clicks in ten minutes, complaints in an hour, a person's enquiries in a day."""

    leads_per_address: int
    leads_per_person: int
    clicks_per_address: int
    complaints_per_address: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """`held`: stored with this reason. `refused`: not stored, a 429. Neither: let through."""

    held: Held | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class LeadCounts:
    """Enquiries, this one included: of the network, of the e-mail or phone number (the higher), of the token."""

    address: int
    person: int = 0
    token: int = 0


def judge_lead(budgets: Budgets, counts: LeadCounts, start: Start, flood: Flood, *, honeypot: bool) -> Verdict:
    """Return the verdict on an enquiry.

    Args:
        budgets: The settings.
        counts: How many came before it.
        start: Its start token.
        flood: What the breaker lets through.
        honeypot: The field that people do not see was filled.

    Returns:
        Refused, held for the first reason that applies, or let through.
    """
    mark = Held.HONEYPOT if honeypot else start.problem
    if mark is None and counts.token > MAX_ENQUIRIES_PER_TOKEN:
        mark = Held.REPLAYED
    crowded = counts.address > budgets.leads_per_address
    too_many = counts.person > budgets.leads_per_person * REFUSE_MULTIPLE
    # A stranger who uses up a person's budget must not shut that person out: from a quiet network it is only held.
    if (mark and counts.address > budgets.leads_per_address * REFUSE_MULTIPLE) or (too_many and (mark or crowded)):
        return Verdict(refused=True)
    return Verdict(mark or _hold_innocent(budgets, counts, start, flood, crowded=crowded))


def _hold_innocent(
    budgets: Budgets, counts: LeadCounts, start: Start, flood: Flood, *, crowded: bool
) -> Held | None:
    if counts.person > budgets.leads_per_person:
        return Held.PERSON
    if crowded:
        return Held.ADDRESS
    trusted = counts.address <= 1 and counts.token <= 1 and start.age >= TYPING_SECONDS
    match flood:
        case Flood.NONE:
            return None
        case Flood.RISING:
            return None if trusted else Held.FLOOD
        case Flood.FULL:
            return Held.FLOOD
    assert_never(flood)


def judge_click(budgets: Budgets, address: int, *, honeypot: bool) -> Verdict:
    """Return the verdict on a click, the `address`-th of its network address in ten minutes."""
    if address > budgets.clicks_per_address * REFUSE_CLICKS_MULTIPLE:
        return Verdict(refused=True)
    if honeypot:
        return Verdict(Held.HONEYPOT)
    return Verdict(Held.ADDRESS if address > budgets.clicks_per_address else None)


def judge_complaint(budgets: Budgets, address: int, *, honeypot: bool) -> Verdict:
    """Return the verdict on a complaint, the `address`-th of its network address in an hour.

    Its mailbox counts for nothing: anybody can write somebody else's.
    """
    if address > budgets.complaints_per_address * REFUSE_MULTIPLE:
        return Verdict(refused=True)
    if honeypot:
        return Verdict(Held.HONEYPOT)
    return Verdict(Held.ADDRESS if address > budgets.complaints_per_address else None)
