"""What is sent of a row: its columns, what came before it, and where its record is. SQL only."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.history import history_of
from leads.outbox.rows import Kind

_READ = f"""
SELECT {{kind}}.id, {{columns}}, {{history}}, crm.* FROM {{table}} AS {{kind}} LEFT JOIN LATERAL (
    SELECT record_id AS crm_record_id,
        CASE WHEN status = 'dead' OR refused_at IS NOT NULL THEN split_part(last_error, ':', 1) END AS crm_refusal
    FROM deliveries WHERE destination = '{CRM}' AND id = {{kind}}.id
) AS crm ON true
WHERE {{kind}}.id = :id
"""  # noqa: S608 - constants of this project


def read_values(engine: Engine, kind: Kind, row_id: UUID) -> dict[str, Any] | None:
    """Return what is sent of a row, None if it is gone.

    Its columns, those of `history_of`, `repeat_enquiry` (whether the person enquired before), and for a message
    `crm_record_id` and `crm_refusal` (the code with which the CRM refuses the row).
    """
    of_kind = {"kind": kind, "table": kind.table.name, "columns": kind.sent_columns, "history": history_of(kind)}
    with engine.connect() as connection:
        row = connection.execute(text(_READ.format(**of_kind)), {"id": row_id}).mappings().one_or_none()
    return None if row is None else {**row, "repeat_enquiry": row["earlier_enquiry_at"] is not None}
