"""`make preview-production` shows the site as a production deployment would."""

from __future__ import annotations

import re
from pathlib import Path

from leads.settings import read_settings

MAKEFILE = Path(__file__).parents[3] / "Makefile"
PRODUCTION = {
    "ENVIRONMENT": "production",
    "ERASURE_KEY": "0123456789abcdef0123456789abcdef01234567",
    "CLINIC_PHONE": "+90 212 555 01 01",
    "WHATSAPP_NUMBER": "+90 532 555 01 01",
}


def test_the_preview_shows_what_production_would():
    target = MAKEFILE.read_text().split("\npreview-production:")[1].split("\n\n")[0]
    started = next(line for line in target.splitlines() if line.endswith("-m dev.run"))
    database = {"DATABASE_URL": "postgresql://clinic:secret@db/clinic"}
    preview = read_settings({**database, **dict(re.findall(r"([A-Z_]+)=(\S+)", started))})
    production = read_settings({**database, **PRODUCTION})
    assert (preview.samples_shown, preview.storage_mode) == (production.samples_shown, production.storage_mode)
