"""All tables, as SQLAlchemy Core. Importing any of them loads all, so `metadata` is always complete.

Schema changes go through `migrations/`; a test compares the two.
"""

from leads.tables.columns import metadata
from leads.tables.delivery import (
    crm_attempts,
    crm_calls,
    crm_fields,
    crm_gate,
    crm_slots,
    crm_token,
    crm_workers,
    deliveries,
)
from leads.tables.enquiries import acknowledgements, leads, staff_notices, users, whatsapp_clicks
from leads.tables.privacy import complaints, erased_keys, erased_rows, erasures, retention_runs

__all__ = [
    "acknowledgements",
    "complaints",
    "crm_attempts",
    "crm_calls",
    "crm_fields",
    "crm_gate",
    "crm_slots",
    "crm_token",
    "crm_workers",
    "deliveries",
    "erased_keys",
    "erased_rows",
    "erasures",
    "leads",
    "metadata",
    "retention_runs",
    "staff_notices",
    "users",
    "whatsapp_clicks",
]
