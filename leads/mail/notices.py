"""The outbox of staff notices: what staff are told of each lead at once, by e-mail and by webhook. SQL only.

A notice is owed from the INSERT of its lead on, whatever the CRM does; that of a held lead from its release on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

from leads.lifecycle import Settled, Sync
from leads.mail.owed import give_up, mark, marked
from leads.tables.enquiries import OWED

# A notice waits so long for the record in the CRM, to link to it; then staff are told without the link.
PATIENCE_SECONDS = 10.0
_DUE = f"""
staff_notices AS notice JOIN deliveries ON deliveries.id = notice.lead_id
WHERE {OWED} AND notice.next_retry_at <= now()
  AND (deliveries.zoho_status = 'sent' OR notice.created_at <= now() - make_interval(secs => {PATIENCE_SECONDS}))
"""
_ANY_DUE = text(f"SELECT EXISTS (SELECT 1 FROM {_DUE})")  # noqa: S608 - constants of this project
_GIVE_UP = give_up("staff_notices")
# Notices through a channel that is no longer set up.
_SKIP = text(f"UPDATE staff_notices SET status = 'skipped' WHERE {OWED} AND channel <> ALL(:channels)")  # noqa: S608
_CLAIM = text(f"""
WITH due AS (
    SELECT lead_id, channel FROM {_DUE} AND channel = :channel
    ORDER BY notice.next_retry_at LIMIT :rows FOR UPDATE OF notice SKIP LOCKED
), claimed AS (
    UPDATE staff_notices AS notice SET status = 'sending',
        lost_leases = notice.lost_leases + CASE WHEN notice.status = 'sending' THEN 1 ELSE 0 END,
        next_retry_at = now() + make_interval(secs => :lease)
    FROM due WHERE notice.lead_id = due.lead_id AND notice.channel = due.channel
    RETURNING notice.*
)
SELECT claimed.lead_id, claimed.channel, claimed.next_retry_at AS lease, claimed.retry_count, claimed.lost_leases,
       extract(epoch FROM now() - claimed.created_at)::float8 AS age, leads.reference, leads.created_at,
       leads.country_iso, leads.timezone, coalesce(zoho_record_id, merged_into) AS record_id,
       concat_ws(' ', leads.name, leads.surname) AS name, leads.phone_e164 AS phone, leads.message AS question
FROM claimed JOIN leads ON leads.id = claimed.lead_id JOIN deliveries USING (id)
ORDER BY leads.created_at
""")  # noqa: S608 - constants of this project
_MARK = mark("staff_notices", "lead_id = :id AND channel = :channel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice that only this worker may send until `lease`. Its repr hides the person.

    country_iso and timezone (IANA) are None where the browser did not say; record_id while the CRM has no record.
    """

    lead_id: UUID
    channel: str
    lease: datetime
    sync: Sync
    reference: str
    created_at: datetime
    country_iso: str | None
    timezone: str | None
    record_id: str | None
    name: str = field(repr=False)
    phone: str = field(repr=False)  # E.164
    question: str | None = field(repr=False)


def any_notice_due(engine: Engine) -> bool:
    """Return whether a notice is due now."""
    with engine.connect() as connection:
        return bool(connection.execute(_ANY_DUE).scalar_one())


def skip_notices(engine: Engine, channels: Sequence[str]) -> None:
    """Skip the owed notices of all channels but these."""
    with engine.connect() as connection:
        connection.execute(_SKIP, {"channels": list(channels)})


def claim_notices(engine: Engine, channel: str, *, rows: int, lease_seconds: float) -> list[Notice]:
    """Claim the notices of one channel that are due, for as long as the lease.

    Args:
        engine: The database.
        channel: "mail" or "webhook".
        rows: How many to claim at most.
        lease_seconds: How long only this worker may send them.
    """
    values = {"channel": channel, "rows": rows, "lease": lease_seconds}
    with engine.connect() as connection:
        connection.execute(_GIVE_UP)
        found = [dict(row) for row in connection.execute(_CLAIM, values).mappings()]
    return [
        Notice(sync=Sync(row.pop("retry_count"), row.pop("lost_leases"), row.pop("age")), **row) for row in found
    ]


def mark_notice(engine: Engine, notice: Notice, settled: Settled) -> bool:
    """Record the result of a notice; False when the lease was lost meanwhile (or the lead was erased)."""
    values = {"id": notice.lead_id, "channel": notice.channel, **marked(notice.lease, settled)}
    with engine.connect() as connection:
        return connection.execute(_MARK, values).rowcount == 1
