"""Why a row is held as suspected spam, and which held rows are let go by themselves. Pure.

Held rows are stored like all others and cost no call to the CRM and no e-mail. The rules in words: docs/limits.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Held(StrEnum):
    """The first of these that applies is stored with the row."""

    HONEYPOT = "honeypot"  # the field that people do not see was filled
    NO_START = "no-start"  # no start token: no page was opened, or no script ran on it
    FORGED = "forged"  # a start token that this site did not sign
    EXPIRED = "expired"  # a start token that is too old
    TOO_FAST = "too-fast"  # sent sooner after its start token than anybody types
    REPLAYED = "replayed"  # one start token for many different enquiries
    PERSON = "person"  # many enquiries with one e-mail address or one phone number
    ADDRESS = "address"  # many from one network address, and nothing else against this one
    FLOOD = "flood"  # the site gets many times what it usually gets, and nothing else is against this one


# What honest visitors are held for: a form sent without any script has no start token, a page left open has an old
# one, a tab that closes at once a young one, and thousands of phones share an address.
RELEASABLE = (Held.NO_START, Held.EXPIRED, Held.TOO_FAST, Held.ADDRESS, Held.FLOOD)

# For a shorter time nobody can tell a crowd from a flood.
RELEASE_AFTER_SECONDS = 600
# Released by themselves within an hour, behind one network address.
MAX_RELEASED_PER_CLIENT = 60
# A person may ask again, with other words; a program does so without end.
MAX_OF_ONE_PERSON = 3

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

    Varied: nobody else behind the same network address has the same mailbox, phone number, name or words, and the
    same person has asked a few times at most. Of what one person sent twice the first goes. The order is fair: one
    row of each network address, then a second one of each, so that no crowd is before a lone visitor.
    """
    by_client = defaultdict(list)
    for row in rows:
        by_client[row.client].append(row)
    ranked: list[tuple[int, datetime, UUID]] = []
    for group in by_client.values():
        room = MAX_RELEASED_PER_CLIENT - sum(row.released for row in group)
        chosen = _varied(group)[: max(0, room)]
        ranked.extend((rank, row.created_at, row.id) for rank, row in enumerate(chosen))
    return [row_id for *_, row_id in sorted(ranked)]


def _varied(group: Sequence[HeldRow]) -> list[HeldRow]:
    """The ripe rows of one client that may go, oldest first."""
    # What a person sent twice is one enquiry.
    enquiries: dict[tuple[tuple[str | None, ...], str], HeldRow] = {}
    for row in sorted(group, key=lambda row: row.created_at):
        enquiries.setdefault((row.marks, _plain(row.words)), row)
    sharing = defaultdict(list)
    for row in enquiries.values():
        for trait in _traits(row):
            sharing[trait].append(row)

    def may_go(row: HeldRow) -> bool:
        alike = [sharing[trait] for trait in _traits(row)]
        if any(len(rows) > MAX_OF_ONE_PERSON for rows in alike) or _has_link(row):
            return False
        kin = {other.id: other for rows in alike for other in rows}
        return len(kin) <= MAX_OF_ONE_PERSON and all(_is_same_person(row, other) for other in kin.values())

    return [row for row in enquiries.values() if row.ripe and not row.released and may_go(row)]


def _traits(row: HeldRow) -> list[tuple[int, str]]:
    """What two rows may have in common: their marks by place, and their words."""
    values = (*row.marks, _plain(row.words))
    return [(place, value) for place, value in enumerate(values) if value]


def _is_same_person(row: HeldRow, other: HeldRow) -> bool:
    """Whether two marks are the same: who corrects a misspelt address has the same name and number."""
    return sum(one is not None and one == another for one, another in zip(row.marks, other.marks, strict=True)) > 1


def _plain(words: str) -> str:
    return " ".join(words.lower().split())


def _has_link(row: HeldRow) -> bool:
    return any(_LINK.search(text) for text in (*row.marks, row.words) if text)
