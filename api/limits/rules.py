"""The figures of the limits, and why they are what they are. docs/limits-and-security.md is the same in words.

A clinic gets 50 to 500 enquiries a day, a tenth of them in its busiest hour.
"""

from typing import NamedTuple

from leads.outbox.holds import Held

TEN_MINUTES, HOUR, DAY = 600, 3600, 86_400
# Held rows beyond this multiple of their limit are refused instead: strangers must not fill the disk.
FAR = 3
# Failures that pages behind one network address, and all pages, may report within an hour. An alarm needs more than
# one address can report in two (deploy/alerts.yml).
PAGE_FAILURES_PER_ADDRESS = 5
PAGE_FAILURES_PER_HOUR = 2000
# How long details can be added to an enquiry: until staff have called.
DETAILS_SECONDS = 7 * DAY
# Taps on the thank-you page within an hour; each question can be answered again.
DETAILS_PER_ENQUIRY = 60


class Limit(NamedTuple):
    """So many requests within so many seconds. What comes beyond is held for the reason."""

    most: int
    seconds: int
    reason: Held


class Limits(NamedTuple):
    """All limits beyond which a row is held. Tests, and load from one machine, pass others."""

    # From the start token to the enquiry. Nobody fills in the form faster; most programs do.
    start_seconds: float = 3.0
    # A person may enquire again from the same page.
    token: Limit = Limit(3, DAY, Held.REPLAYED)
    # With one mailbox or one telephone number, from one network address.
    person: Limit = Limit(10, DAY, Held.PERSON)
    # Phones share the address of a mobile network: after a commercial some enquire within minutes.
    leads_of_address: Limit = Limit(20, TEN_MINUTES, Held.ADDRESS)
    clicks_of_address: Limit = Limit(30, TEN_MINUTES, Held.ADDRESS)
    # Six times a busy hour, from everywhere; enquiries and taps apart.
    all: Limit = Limit(300, HOUR, Held.FLOOD)
    # Held rows beyond these do not go by themselves.
    held_of_address: Limit = Limit(20, HOUR, Held.FLOOD)
    held: Limit = Limit(200, HOUR, Held.FLOOD)


LIMITS = Limits()
