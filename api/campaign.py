"""The campaign that an address names: which query parameter belongs to which field. Pure.

The browser reads addresses by the same rules (frontend/src/lib/campaign.ts); tests/attribution_urls.json holds for
both.
"""

from urllib.parse import parse_qsl

from leads.tables import TRACKING_LENGTH
from leads.text import truncate

# For each field on the wire the parameters that may carry it; the first one that is not empty wins.
SOURCES = {
    "googleCampaign": ("utm_campaign", "campaign"),
    "googleAdgroup": ("utm_content", "adgroup"),
    "googleKeyword": ("utm_term", "keyword"),
    "googleAd": ("utm_source", "creative"),
    "googleGclid": ("gclid",),
    "utmSource": ("utm_source",),
    "utmMedium": ("utm_medium",),
    "utmContent": ("utm_content",),
    "utmTerm": ("utm_term",),
    "googleMatchtype": ("matchtype",),
    "googleNetwork": ("network",),
    "googleDevice": ("device",),
    "gbraid": ("gbraid",),
    "wbraid": ("wbraid",),
    "fbclid": ("fbclid",),
    "msclkid": ("msclkid",),
}


def read_campaign(query: str) -> dict[str, str]:
    """Return the campaign's fields that a query string (without its `?`) names, by their names on the wire."""
    given: dict[str, str | None] = {}
    for name, text in parse_qsl(query):
        given[name] = given.get(name) or truncate(text, TRACKING_LENGTH)
    found = {field: next(filter(None, map(given.get, names)), None) for field, names in SOURCES.items()}
    return {field: text for field, text in found.items() if text}
