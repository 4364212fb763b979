"""Records of other enquiries that an upsert has overwritten are given back to them.

The CRM looks up every unique field of a row, not only the event id: where it keeps telephone numbers unique, a
person's second enquiry overwrites the record of the first, event id and all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from worker.crm.port import CallFailed, Crm, FailureClass, RowResult

log = logging.getLogger(__name__)

# Another worker may have made the record just now, and not marked its row yet. The waits after so many tries are
# longer than it takes.
TRIES_TO_FIND_OWNER = 2

Record = Mapping[str, object]
# Owes the enquiries whose records have these ids to the CRM again, and returns whose each is; a record that is no
# sent enquiry's is not in it. None: the database failed.
Reclaim = Callable[[Sequence[str]], Mapping[str, UUID] | None]


class Sent(NamedTuple):
    """The record of a row that was sent, and how often the row had failed before."""

    record: Record
    tries: int


def give_back(  # noqa: PLR0913 - keywords
    crm: Crm,
    sent: Sequence[Sent],
    results: Sequence[RowResult],
    *,
    event_id_field: str,
    reclaim: Reclaim,
    call_id: str,
    deadline: float,
) -> list[RowResult]:
    """Put each overwritten record's own event id back, so that the row that overwrote it becomes another record.

    Args:
        crm: the CRM, under a permit.
        sent: the rows of one upsert.
        results: its results.
        event_id_field: the CRM's name of the field with our event id.
        reclaim: see `Reclaim`.
        call_id: id of the call to make, if one is needed.
        deadline: monotonic seconds after which no call starts.

    Returns:
        The results. A row of this upsert whose record a later row has overwritten fails with OVERWROTE without a
        field: it is sent again as it is. A row that overwrote a record is in doubt when that was not given back,
        and for its first tries while the record is nobody's.
    """
    pairs = list(zip(sent, results, strict=True))
    wrote = [(row, result) for row, result in pairs if _overwrote(result)]
    if not wrote:
        return list(results)
    taken = dict.fromkeys(str(result.record_id) for _, result in wrote)
    owners = {
        str(result.record_id): str(row.record[event_id_field])
        for row, result in pairs
        if result.ok and result.record_id in taken
    }
    reclaimed = reclaim([record_id for record_id in taken if record_id not in owners])
    owners |= {record_id: str(owner) for record_id, owner in (reclaimed or {}).items()}
    changes: dict[str, Record] = {record_id: {event_id_field: None} for record_id in taken}
    for row, result in wrote:
        if (record_id := str(result.record_id)) in owners:
            changes[record_id] = {
                **changes[record_id],
                **_blanks(row.record, result.field),
                event_id_field: owners[record_id],
            }
    late = time.monotonic() > deadline
    failed = dict.fromkeys(changes, "LEASE_SHORT") if late else _update(crm, changes, call_id)
    return [_settled(row, result, owners, failed, has_asked=reclaimed is not None) for row, result in pairs]


def _overwrote(result: RowResult) -> bool:
    return result.failure is FailureClass.OVERWROTE


def _blanks(record: Record, matched: str | None) -> dict[str, object]:
    """The record's fields without their values: what its owner has none for would stay, such as a campaign.

    The CRM takes no record without a name, and a unique value that was free could go to another enquiry meanwhile.
    """
    kept = ("Last_Name", "Email", "Phone", matched)
    return {name: False if value is True else None for name, value in record.items() if name not in kept}


def _update(crm: Crm, changes: Mapping[str, Record], call_id: str) -> dict[str, str]:
    """Write the changes; return the code for each record that was not changed."""
    try:
        results = crm.update(changes, call_id=call_id)
    except CallFailed as failure:
        return dict.fromkeys(changes, failure.code)
    return {record_id: result.code for record_id, result in zip(changes, results, strict=True) if not result.ok}


def _settled(
    row: Sent, result: RowResult, owners: Mapping[str, str], failed: Mapping[str, str], *, has_asked: bool
) -> RowResult:
    record_id = str(result.record_id)
    if result.ok and record_id in owners:
        return replace(result, ok=False, code="OVERWRITTEN", failure=FailureClass.OVERWROTE, field=None)
    if not _overwrote(result):
        return result
    doubt = failed.get(record_id)
    if doubt is None and record_id not in owners and (row.tries < TRIES_TO_FIND_OWNER or not has_asked):
        doubt = "NOBODYS_YET"
    if doubt is None:
        return result
    log.warning("record %s was overwritten, and is not given back yet: %s", record_id, doubt)
    return replace(result, failure=FailureClass.UNKNOWN, detail=f"{result.detail}, {doubt}")
