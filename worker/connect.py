"""Connection of the port to the Zoho adapter. No other product module outside `worker.zoho` imports it.

Another CRM would be another adapter, connected here, with a check of its own.
"""

from collections.abc import Iterator

from sqlalchemy import Engine

from leads.crm_state import TokenTable
from leads.settings import Settings
from worker.crm.fields import fields_of
from worker.zoho.check import check as check_crm
from worker.zoho.client import ZohoClient
from worker.zoho.config import DATA_CENTERS, DataCenter, ZohoConfig

__all__ = ["check_crm", "connect_crm", "crm_problems", "record_url"]


def crm_problems(settings: Settings) -> Iterator[str]:
    """Yield what the CRM lacks, or cannot use, of the settings; for `read_settings`."""
    for name in ("ZOHO_CLIENT_ID", "ZOHO_CLIENT_SECRET", "ZOHO_REFRESH_TOKEN"):
        if not getattr(settings, name.lower()):
            yield f"{name} is required"
    if settings.zoho_data_center not in DATA_CENTERS:
        yield f"ZOHO_DATA_CENTER must be one of {', '.join(DATA_CENTERS)}"
    try:
        fields_of(settings)
    except ValueError as error:
        yield f"ZOHO_FIELD_MAP {error}"


def connect_crm(settings: Settings, engine: Engine) -> ZohoClient:
    """The CRM for settings without `crm_problems`. Opens no connection by itself."""
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
    url = settings.zoho_url
    return DataCenter(url, url) if url else DATA_CENTERS[settings.zoho_data_center]
