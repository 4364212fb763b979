"""Why a row is held as suspected spam, and what becomes of held rows. Pure.

Held rows are stored like all others and cost no call to the CRM and no e-mail. The rules in words: docs/limits.md.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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
    PERSON = "person"  # many enquiries with one e-mail address or one phone number from one network address
    ADDRESS = "address"  # many from one network address, and nothing else against this one
    FLOOD = "flood"  # the site gets many times what it usually gets, and nothing else is against this one


# What honest visitors are held for: a form sent without any script has no start token, a page left open has an old
# one, a tab that closes at once a young one, and thousands of phones share an address.
PATIENT = (Held.NO_START, Held.EXPIRED, Held.TOO_FAST, Held.ADDRESS)
RELEASABLE = (*PATIENT, Held.FLOOD)

# For a shorter time nobody can tell a crowd behind one address from a program; a wave shows itself at once.
RELEASE_AFTER_SECONDS, FLOOD_AFTER_SECONDS = 600, 20
# Released by themselves within an hour, behind one network address.
MAX_RELEASED_PER_CLIENT = 60
# A person may ask again, with other words; a program does so without end.
MAX_OF_ONE_PERSON = 3
# Held rows of one network address that are kept, and of those that look real.
MAX_HELD_PER_CLIENT = 200
# More rows than this, held for one of these within as many seconds, are a wave. What a page sends without its
# script says little, so honest ones are alike.
WAVES = (Held.ADDRESS, Held.FLOOD)
WAVE_ROWS, WAVE_SECONDS = 10, 10
COMMON_SHARE = 3  # common in a wave is what a third of it says

_LINK = re.compile(r"https?:|www\.|\[url|<a\s|t\.me/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A held row as the rules see it. Its repr hides what it says about a person.

    `client`: the network address, IPv6 by /64. `marks`: what tells two visitors apart; None is nothing. `words`:
    what the visitor wrote. `says`: what a wave of one program has in common, such as browser and page; None is
    nothing. `ripe`: held for long enough. `released`: let go within the last hour; it still counts.
    """

    id: UUID
    reason: Held
    client: str
    marks: tuple[str | None, ...]
    words: str
    says: tuple[str | None, ...]
    created_at: datetime
    ripe: bool
    released: bool = False

    def __repr__(self) -> str:
        """Show no personal data."""
        return f"HeldRow({self.id}, {self.reason})"


@dataclass(frozen=True, slots=True)
class Sorted:
    """What becomes of held rows.

    go: may be let go, in fair order. real: ripe and looks real, those of `go` included. surplus: looks like junk,
    and is too much of its network address.
    """

    go: list[HeldRow]
    real: list[UUID]
    surplus: list[UUID]


def sort_held(rows: Sequence[HeldRow]) -> Sorted:
    """Return what becomes of held rows.

    What looks real is varied: nobody else behind the same network address has the same mailbox, phone number, name
    or words, and the same person has asked a few times at most. Of what one person sent twice the first is meant.
    It has no link, and is not like the others of a wave. The order is fair: one row of each network address, then
    a second one of each, so that no crowd is before a lone visitor; and the oldest and the newest by turns, so that
    no flood is before who comes after it.
    """
    waves = set(_alike(rows))
    by_client = defaultdict(list)
    for row in rows:
        by_client[row.client].append(row)
    real: list[HeldRow] = []
    ranked: list[tuple[int, HeldRow]] = []
    surplus: list[UUID] = []
    for group in by_client.values():
        # What has something against it must not make an honest row look like one of many.
        honest = [row for row in group if row.reason in RELEASABLE]
        others = [row for row in group if row.reason not in RELEASABLE]
        found = [row for part in (honest, others) for row in _varied(part) if row.id not in waves]
        varied = found[:MAX_HELD_PER_CLIENT]
        ripe = [row for row in varied if row.ripe]
        real += ripe
        room = MAX_RELEASED_PER_CLIENT - sum(row.released for row in group)
        may_go = [row for row in ripe if row.reason in RELEASABLE]
        ranked.extend(enumerate(may_go[: max(0, room)]))
        surplus += _surplus(group, {row.id for row in varied})
    return Sorted(list(_in_turns(ranked)), [row.id for row in real], surplus)


def _in_turns(ranked: Sequence[tuple[int, HeldRow]]) -> Iterator[HeldRow]:
    by_rank = defaultdict(list)
    for rank, row in ranked:
        by_rank[rank].append(row)
    for _, rows in sorted(by_rank.items(), key=lambda pair: pair[0]):
        rows.sort(key=lambda row: row.created_at)
        for place in range(len(rows)):
            yield rows[place // 2 if place % 2 == 0 else -(place // 2) - 1]


def _surplus(group: Sequence[HeldRow], looks_real: set[UUID]) -> list[UUID]:
    """The oldest ripe junk of an address that has too many held rows."""
    held = [row for row in group if not row.released]
    junk = sorted((row for row in held if row.ripe and row.id not in looks_real), key=lambda row: row.created_at)
    return [row.id for row in junk[: max(0, len(held) - MAX_HELD_PER_CLIENT)]]


def _alike(rows: Sequence[HeldRow]) -> Iterator[UUID]:
    """Rows of a wave that mostly say what much of the wave says."""
    waves = defaultdict(list)
    for row in rows:
        if row.reason in WAVES:
            waves[row.created_at.timestamp() // WAVE_SECONDS].append(row)
    for wave in waves.values():
        if len(wave) > WAVE_ROWS:
            said = [{(place, text) for place, text in enumerate(row.says) if text} for row in wave]
            times = Counter(each for all_said in said for each in all_said)
            common = {each for each, count in times.items() if count * COMMON_SHARE > len(wave)}
            yield from (
                row.id
                for row, all_said in zip(wave, said, strict=True)
                if 2 * len(all_said & common) > len(all_said)
            )


def _varied(group: Sequence[HeldRow]) -> list[HeldRow]:
    """The rows of one client that are varied and have no link, oldest first."""
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

    return [row for row in enquiries.values() if not row.released and may_go(row)]


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
