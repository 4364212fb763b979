"""The newest migration that this code knows.

Every session tells it (`leads/db.py`), so that a migration which removes something can refuse while older code is
connected (`migrations/live_tables.py`).
"""

from __future__ import annotations

REVISION = "0100"
