"""What differs between deployments, written into the pages: the clinic's numbers, a block of JSON in the head."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from leads.settings import PLACEHOLDER_CHAT as CHAT_STAND_IN
from leads.settings import PLACEHOLDER_PHONE as PHONE_STAND_IN

if TYPE_CHECKING:
    from leads.settings import Settings

PLACEHOLDER = "<!--settings-->"


def fill_page(page: str, settings: Settings) -> str:
    """A page as built, with this deployment's numbers and settings.

    In the links too: they are there, and tapped, before any script runs.
    """
    phone, chat = settings.clinic_phone, re.sub("[^0-9]", "", settings.whatsapp_number)
    for built, own in (
        (f"tel:{_dialled(PHONE_STAND_IN)}", f"tel:{_dialled(phone)}"),
        (f"https://wa.me/{CHAT_STAND_IN}", f"https://wa.me/{chat}"),
        (PHONE_STAND_IN, phone),
    ):
        page = page.replace(built, own)
    return page.replace(PLACEHOLDER, settings_block(settings), 1)


def stand_ins(settings: Settings) -> list[str]:
    """The variables of numbers that are still nobody's."""
    given = {"CLINIC_PHONE": (settings.clinic_phone, PHONE_STAND_IN)}
    given["WHATSAPP_NUMBER"] = (settings.whatsapp_number, CHAT_STAND_IN)
    return [name for name, (number, stand_in) in given.items() if number == stand_in]


def _dialled(phone: str) -> str:
    return re.sub("[^0-9+]", "", phone)


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
