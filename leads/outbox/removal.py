"""What is removed together with a lead's or click's delivery to the CRM, as SQL."""

from __future__ import annotations

# Follows `WITH gone AS (DELETE … RETURNING id)`; {table} is the kind's.
WITH_ALL_OF_IT = """
messages AS (
    DELETE FROM deliveries WHERE destination <> 'zoho' AND id IN (SELECT id FROM gone)
), rows AS (
    DELETE FROM {table} WHERE id IN (SELECT id FROM gone)
), timelines AS (
    DELETE FROM attempts WHERE row_id IN (SELECT id FROM gone)
)
"""
