"""Why a row is held as suspected spam, and which held rows are let go by themselves. Pure.

Held rows are stored like all others and cost no call to the CRM and no e-mail. The rules in words: docs/limits.md.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID


class Held(StrEnum):
    """The first of these that applies is stored with the row."""

    HONEYPOT = "honeypot"  # the field that people do not see was filled
    NO_START = "no-start"  # no start token: no page was opened, or a page from before there were tokens
    FORGED = "forged"  # a start token that this site did not sign
    EXPIRED = "expired"  # a start token that is too old
    TOO_FAST = "too-fast"  # sent sooner after its start token than anybody types
    REPLAYED = "replayed"  # one start token for many different enquiries
    PERSON = "person"  # many enquiries with one e-mail address or one phone number
    ADDRESS = "address"  # many from one network address, and nothing else against this one
    FLOOD = "flood"  # the site gets many times what it usually gets, and nothing else is against this one


# An enquiry held for one of these has a good start token, and is within its person's budget.
CROWDED = (Held.ADDRESS, Held.FLOOD)
# What a page sends that was opened long ago, or before the last deployment.
OLD_PAGE = (Held.NO_START, Held.EXPIRED)
RELEASABLE = (*CROWDED, *OLD_PAGE)

# For a shorter time nobody can tell a crowd from a flood.
RELEASE_AFTER_SECONDS = 600
# Released by themselves within an hour: behind one network address, and of old pages everywhere.
MAX_RELEASED_PER_CLIENT = 60
MAX_OLD_PAGES = 20

_LINK = re.compile(r"https?:|www\.|\[url|<a\s|t\.me/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A held row as the rule sees it. Its repr hides what it says about a person.

    `client`: the network address, IPv6 by /64. `marks`: what tells two visitors apart; None is nothing. `words`:
    what the visitor wrote. `ripe`: held for long enough. `released`: let go within the last hour; it still counts.
    """

    id: UUID
    reason: Held
    client: str
    marks: tuple[str | None, ...]
    words: str
    created_at: datetime
    ripe: bool
    released: bool = False

    def __repr__(self) -> str:
        """Show no personal data."""
        return f"HeldRow({self.id}, {self.reason})"


def choose_releasable(rows: Sequence[HeldRow]) -> list[UUID]:
    """Return which held rows are let go: varied ones, without a mark of spam, a limited number an hour.

    Varied: no other row from the same network address has the same mailbox, phone number, name or words. Rows of
    old pages are let go only while they are few: many of them come from a program.
    """
    by_client = defaultdict(list)
    for row in rows:
        by_client[row.client].append(row)
    old_pages = sum(row.reason in OLD_PAGE for row in rows)
    chosen: list[UUID] = []
    for group in by_client.values():
        room = MAX_RELEASED_PER_CLIENT - sum(row.released for row in group)
        varied = _varied(group)
        fit = [row for row in varied if row.reason in CROWDED or old_pages <= MAX_OLD_PAGES]
        chosen.extend(row.id for row in fit[: max(0, room)])
    return chosen


def _varied(group: Sequence[HeldRow]) -> list[HeldRow]:
    """The ripe rows of one client that share nothing with another and have no link in them, oldest first."""
    times: Counter[tuple[int, str]] = Counter()
    for row in group:
        times.update(_traits(row))
    return sorted(
        (
            row
            for row in group
            if row.ripe and not row.released and not _has_link(row) and _is_alone(_traits(row), times)
        ),
        key=lambda row: row.created_at,
    )


def _has_link(row: HeldRow) -> bool:
    return any(_LINK.search(text) for text in (*row.marks, row.words) if text)


def _traits(row: HeldRow) -> list[tuple[int, str]]:
    values = (*row.marks, " ".join(row.words.lower().split()))
    return [(place, value) for place, value in enumerate(values) if value]


def _is_alone(traits: Iterable[tuple[int, str]], times: Counter[tuple[int, str]]) -> bool:
    return all(times[trait] == 1 for trait in traits)
