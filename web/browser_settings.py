"""What differs between deployments, filled into the pages: the clinic's numbers and a block of JSON in the head."""

import json
import re
from pathlib import Path

from leads.privacy.retention import ADDRESS_DAYS
from leads.settings import Settings

SETTINGS_MARK = "<!--settings-->"


def fill_page(built: Path, settings: Settings) -> str:
    """Return a built page (its file) with this deployment's numbers and settings.

    Links have their numbers from here because visitors tap them before any script runs. The tokens are those of
    `NUMBER_TOKENS` in frontend/src/lib/pageSettings.ts; numbers hold no character that HTML or JSON would escape.
    """
    page = built.read_text("utf-8")
    tokens = {
        "{{clinic-phone}}": settings.clinic_phone,
        "{{clinic-phone-digits}}": re.sub("[^0-9+]", "", settings.clinic_phone),
        "{{whatsapp-number}}": re.sub("[^0-9]", "", settings.whatsapp_number),
    }
    for token, number in tokens.items():
        page = page.replace(token, number)
    return page.replace(SETTINGS_MARK, settings_block(settings), 1)


def settings_block(settings: Settings) -> str:
    """Return the data block that replaces `SETTINGS_MARK` in every pre-rendered page."""
    values = {
        "clinicPhone": settings.clinic_phone,
        "whatsappNumber": settings.whatsapp_number,
        "attributionStorage": settings.storage_mode,
        "googleAdsConversion": settings.google_ads_conversion or None,
        "metaPixelId": settings.meta_pixel_id or None,
        "analyticsId": settings.analytics_id or None,
        "environment": settings.environment,
        "mailEnabled": bool(settings.mail_from),
        # The privacy notice must state what is done.
        "retentionMonths": settings.retention_months,
        "addressDays": ADDRESS_DAYS,
        "showSamples": settings.samples_shown,
    }
    # A value with "</script>" in it must not end the block.
    text = json.dumps(values).replace("<", "\\u003c")
    return f'<script type="application/json" id="settings">{text}</script>'
