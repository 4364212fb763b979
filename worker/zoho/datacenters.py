"""Zoho's data centres and their hosts, as data."""

from __future__ import annotations

from typing import NamedTuple


class DataCenter(NamedTuple):
    """Origins of one data centre, without a trailing slash."""

    accounts_url: str
    api_url: str


# US to SA: Zoho's Python SDK 7.0.0, package `dc`; Canada breaks the pattern on the accounts side only.
# UK: accounts host from Zoho Accounts' own multi-DC list, API host from a third party.
# AE: API host from a Zoho WorkDrive page; not confirmed for the CRM.
DATA_CENTERS: dict[str, DataCenter] = {
    "US": DataCenter("https://accounts.zoho.com", "https://www.zohoapis.com"),
    "EU": DataCenter("https://accounts.zoho.eu", "https://www.zohoapis.eu"),
    "IN": DataCenter("https://accounts.zoho.in", "https://www.zohoapis.in"),
    "AU": DataCenter("https://accounts.zoho.com.au", "https://www.zohoapis.com.au"),
    "JP": DataCenter("https://accounts.zoho.jp", "https://www.zohoapis.jp"),
    "CN": DataCenter("https://accounts.zoho.com.cn", "https://www.zohoapis.com.cn"),
    "CA": DataCenter("https://accounts.zohocloud.ca", "https://www.zohoapis.ca"),
    "SA": DataCenter("https://accounts.zoho.sa", "https://www.zohoapis.sa"),
    "UK": DataCenter("https://accounts.zoho.uk", "https://www.zohoapis.uk"),
    "AE": DataCenter("https://accounts.zoho.ae", "https://www.zohoapis.ae"),
}


def urls_for(code: str) -> DataCenter:
    """Gives the hosts of a data centre's two-letter code, in any case; the ValueError lists the codes."""
    try:
        return DATA_CENTERS[code.strip().upper()]
    except KeyError:
        known = ", ".join(DATA_CENTERS)
        raise ValueError(f"{code!r} is not a Zoho data centre; use one of {known}") from None
