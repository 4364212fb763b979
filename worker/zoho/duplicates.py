"""Decides whose a DUPLICATE_DATA is: our own event's record, which is success, or somebody else's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from worker.zoho.errors import CallFailed, FailureClass
from worker.zoho.replies import record_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worker.zoho.errors import Verdict
    from worker.zoho.failures import Item

    LookUp = Callable[[str, str], list[Item]]

# Each look-up is a call inside the same wall clock; rows beyond them are in doubt and come again.
MOST_LOOK_UPS = 5


def settle_duplicates(
    verdicts: Sequence[Verdict], event_ids: Sequence[str], event_id_field: str, call_id: str, look_up: LookUp
) -> list[Verdict]:
    """Replaces each DUPLICATE verdict whose record turns out to hold our event id by a success.

    look_up takes an event id and the id of the call to make. A clash on the event id field is ours by what the
    verdict says; any other is looked up, because an earlier call whose reply was lost may have made it.
    """
    made = 0
    settled: list[Verdict] = []
    for verdict, event_id in zip(verdicts, event_ids, strict=True):
        if verdict.failure is not FailureClass.DUPLICATE:
            settled.append(verdict)
        elif verdict.field == event_id_field and verdict.record_id is not None:
            settled.append(_ours(verdict, verdict.record_id))
        elif made < MOST_LOOK_UPS:
            made += 1
            settled.append(_looked_up(verdict, event_id, f"{call_id}-d{made}", look_up))
        else:
            settled.append(replace(verdict, failure=FailureClass.UNKNOWN, detail="not looked up yet"))
    return settled


def _looked_up(verdict: Verdict, event_id: str, wire_id: str, look_up: LookUp) -> Verdict:
    try:
        found = look_up(event_id, wire_id)
    except CallFailed as failure:
        if failure.failure is FailureClass.CONFIGURATION:
            return verdict  # this token may not search, now or later
        return replace(verdict, failure=FailureClass.UNKNOWN, detail=f"look-up failed: {failure.code}")
    ids = [found_id for item in found if (found_id := record_id(item.get("id"))) is not None]
    return _ours(verdict, ids[0]) if ids else verdict


def _ours(verdict: Verdict, found_id: str) -> Verdict:
    return replace(verdict, ok=True, record_id=found_id, failure=None)
