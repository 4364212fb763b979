"""What the CRM client needs to know to make a call. Reading the environment is done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ZohoConfig:
    """Credentials, hosts and limits of one Zoho organisation; the two secrets do not print.

    accounts_url and api_url are origins without a path ("https://accounts.zoho.eu"). call_seconds is the
    wall clock over a whole client call: token, request, reply, resend and duplicate look-ups together.
    trigger None runs every automation of the organisation, an empty tuple runs none. lead_assignment_rule
    is the rule's id, sent with Leads. The environment's proxies are ignored: proxy_url alone sets one.
    """

    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)
    accounts_url: str
    api_url: str
    event_id_field: str = "Website_Event_ID"
    connect_seconds: float = 3.0
    call_seconds: float = 25.0
    lead_assignment_rule: str | None = None
    trigger: tuple[str, ...] | None = None
    pool_size: int = 16
    proxy_url: str | None = field(default=None, repr=False)
    ca_bundle: str | None = None
