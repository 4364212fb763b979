"""What differs between deployments, as the page reads it at run time from a block of JSON in its head."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leads.settings import Settings

PLACEHOLDER = "<!--settings-->"


def settings_block(settings: Settings) -> str:
    """The data block that takes the place of `PLACEHOLDER` in every pre-rendered page."""
    values = {
        "clinicPhone": settings.clinic_phone,
        "whatsappNumber": settings.whatsapp_number,
        "geoUrl": settings.geo_url,
        "attributionStorage": settings.storage_mode,
        "googleAdsConversion": settings.google_ads_conversion or None,
        "metaPixelId": settings.meta_pixel_id or None,
        "analyticsId": settings.analytics_id or None,
        "googleTagUrl": settings.google_tag_url,
        "metaScriptUrl": settings.meta_script_url,
        "environment": settings.environment,
        "mailEnabled": bool(settings.smtp_url),
        # What the privacy notice says must be what is done.
        "retentionMonths": settings.retention_months,
        "addressDays": settings.address_days,
        "showSamples": settings.samples_shown,
    }
    # A value with "</script>" in it must not end the block.
    text = json.dumps(values).replace("<", "\\u003c")
    return f'<script type="application/json" id="settings">{text}</script>'
