"""Repeat enquiries: leads are marked before they are sent, or merged into the record of the earlier enquiry."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.repeats import choose_merges, find_earlier
from leads.outbox.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Engine

    from leads.outbox.rows import Claimed

log = logging.getLogger(__name__)


def mark_repeats(engine: Engine, claimed: Sequence[Claimed], call_id: str, *, merge: bool) -> list[Claimed]:
    """Mark the repeat enquiries among claimed rows. If the database fails, the rows are delivered unmarked.

    Args:
        engine: the database.
        claimed: rows of one kind, claimed by `call_id`.
        call_id: the claim's id.
        merge: whether repeats join the earlier record as a note.

    Returns:
        The claimed rows. A repeat enquiry also has `repeat_enquiry` and `earlier_enquiry_at`, and `merged_into`
        when it joins the earlier record.
    """
    if claimed[0].kind is not Kind.LEAD:
        return list(claimed)
    ids = [row.id for row in claimed]
    try:
        merged = choose_merges(engine, ids, call_id=call_id) if merge else {}
        earlier = find_earlier(engine, ids)
    except DATABASE_ERRORS as error:
        log.warning("repeat enquiries could not be read (%s); the leads are sent unmarked", error_name(error))
        return list(claimed)
    return [_with_repeat(row, earlier.get(row.id), merged.get(row.id)) for row in claimed]


def _with_repeat(row: Claimed, earlier_at: object, merged_into: str | None) -> Claimed:
    added: dict[str, object] = {}
    if earlier_at is not None:
        added |= {"repeat_enquiry": True, "earlier_enquiry_at": earlier_at}
    if merged_into is not None:
        added["merged_into"] = merged_into
    return replace(row, values={**row.values, **added}) if added else row
