"""The CRM client's configuration and the hosts of Zoho's data centres. Plain values."""

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ZohoConfig:
    """Credentials, hosts and limits of one Zoho organisation; the two secrets do not print."""

    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)
    accounts_url: str  # an origin without a path, "https://accounts.zoho.eu"; so is api_url
    api_url: str
    call_seconds: float = 25.0  # for a whole call: token, request, reply and resend together
    lead_assignment_rule: str | None = None  # the rule's id


class DataCenter(NamedTuple):
    """Origins of one data centre, without a trailing slash."""

    accounts_url: str
    api_url: str

    @property
    def records_url(self) -> str:
        """The origin of the CRM's own pages, on the accounts host's domain. Not confirmed."""
        return self.accounts_url.replace("//accounts.", "//crm.")


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
