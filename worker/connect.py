"""Connection of the port to the Zoho adapter. No other product module outside `worker.zoho` imports it.

Another CRM would be another adapter, connected here.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from leads.crm_state.token import TokenTable
from leads.settings import Settings, SettingsError
from worker.crm.port import CheckReport, Crm, CustomField
from worker.zoho.check import check
from worker.zoho.client import ZohoClient
from worker.zoho.config import DataCenter, ZohoConfig, urls_for


def connect_crm(settings: Settings, engine: Engine) -> Crm:
    """The CRM for these settings; `SettingsError` lists what is missing. Opens no connection by itself."""
    return _client(settings, engine)


def check_crm(
    settings: Settings, engine: Engine, fields: Sequence[CustomField], *, create: bool = False
) -> CheckReport:
    """Check that the CRM is ready. Calls also while they are paused, because it must be able to show why.

    Args:
        settings: name the CRM.
        engine: holds the shared access token.
        fields: the custom fields that the CRM must have.
        create: whether to create missing fields.

    Returns:
        The findings; a failed call is one of them.

    Raises:
        SettingsError: lists the settings that are missing.
    """
    return check(_client(settings, engine), fields, create=create)


def record_url(settings: Settings, record_id: str | None) -> str | None:
    """The web address of a record in the CRM; None without a record."""
    if record_id is None:
        return None
    return f"{_hosts(settings).records_url}/crm/tab/Leads/{record_id}"


def zoho_config(settings: Settings) -> ZohoConfig:
    """The client's configuration; `SettingsError` lists what is missing."""
    missing = [
        name
        for name, value in (
            ("ZOHO_CLIENT_ID", settings.zoho_client_id),
            ("ZOHO_CLIENT_SECRET", settings.zoho_client_secret),
            ("ZOHO_REFRESH_TOKEN", settings.zoho_refresh_token),
        )
        if not value
    ]
    if missing:
        raise SettingsError(f"The CRM needs {', '.join(missing)} (see .env.example)")
    hosts = _hosts(settings)
    return ZohoConfig(
        client_id=settings.zoho_client_id,
        client_secret=settings.zoho_client_secret,
        refresh_token=settings.zoho_refresh_token,
        accounts_url=hosts.accounts_url,
        api_url=hosts.api_url,
        call_seconds=settings.crm_call_seconds,
        lead_assignment_rule=settings.zoho_assignment_rule or None,
    )


def _hosts(settings: Settings) -> DataCenter:
    if settings.zoho_url:
        return DataCenter(settings.zoho_url, settings.zoho_url)
    try:
        return urls_for(settings.zoho_data_center)
    except ValueError as error:
        raise SettingsError(f"ZOHO_DATA_CENTER {error}") from error


def _client(settings: Settings, engine: Engine) -> ZohoClient:
    return ZohoClient(zoho_config(settings), TokenTable(engine))
