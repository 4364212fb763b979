"""All tables, as SQLAlchemy Core. Importing any of them loads all, so `metadata` is always complete.

Schema changes go through `migrations/`; a test compares the two.
"""

from leads.tables.columns import metadata
from leads.tables.delivery import attempts, crm_fields, crm_token, deliveries, destinations, periodic_runs
from leads.tables.enquiries import leads, users, whatsapp_clicks
from leads.tables.privacy import erased_keys, erased_rows, erasures

__all__ = [
    "attempts",
    "crm_fields",
    "crm_token",
    "deliveries",
    "destinations",
    "erased_keys",
    "erased_rows",
    "erasures",
    "leads",
    "metadata",
    "periodic_runs",
    "users",
    "whatsapp_clicks",
]
