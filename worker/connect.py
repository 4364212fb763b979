"""Connection of the port to the Zoho adapter. No other product module outside `worker.zoho` imports it.

Another CRM would be another adapter, connected here, with a check of its own.
"""

from __future__ import annotations

from sqlalchemy import Engine

from leads.crm_state import TokenTable
from leads.settings import Settings, SettingsError
from worker.zoho.check import check as check_crm
from worker.zoho.client import ZohoClient
from worker.zoho.config import DATA_CENTERS, DataCenter, ZohoConfig

__all__ = ["check_crm", "connect_crm", "record_url"]


def connect_crm(settings: Settings, engine: Engine) -> ZohoClient:
    """The CRM for these settings; `SettingsError` lists what is missing. Opens no connection by itself."""
    needed = {
        "ZOHO_CLIENT_ID": settings.zoho_client_id,
        "ZOHO_CLIENT_SECRET": settings.zoho_client_secret,
        "ZOHO_REFRESH_TOKEN": settings.zoho_refresh_token,
    }
    if missing := [name for name, value in needed.items() if not value]:
        raise SettingsError(f"The CRM needs {', '.join(missing)} (see .env.example)")
    hosts = _hosts(settings)
    config = ZohoConfig(
        client_id=settings.zoho_client_id,
        client_secret=settings.zoho_client_secret,
        refresh_token=settings.zoho_refresh_token,
        accounts_url=hosts.accounts_url,
        api_url=hosts.api_url,
        call_seconds=settings.crm_call_seconds,
        lead_assignment_rule=settings.zoho_assignment_rule or None,
    )
    return ZohoClient(config, TokenTable(engine))


def record_url(settings: Settings, record_id: str | None) -> str | None:
    """The web address of a record in the CRM; None without a record."""
    return None if record_id is None else f"{_hosts(settings).records_url}/crm/tab/Leads/{record_id}"


def _hosts(settings: Settings) -> DataCenter:
    if settings.zoho_url:
        return DataCenter(settings.zoho_url, settings.zoho_url)
    try:
        return DATA_CENTERS[settings.zoho_data_center.strip().upper()]
    except KeyError:
        words = f"{settings.zoho_data_center!r} is not a Zoho data centre; use one of {', '.join(DATA_CENTERS)}"
        raise SettingsError(f"ZOHO_DATA_CENTER {words}") from None
