"""Connection of the port to the Zoho adapter. No other product module outside `worker.zoho` imports it.

Another CRM would be another adapter, connected here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine

from leads.crm_state.token import TokenTable
from leads.settings import Settings, SettingsError
from worker.crash import CrashPoint, crash
from worker.crm.port import CheckReport, Crm, CustomField
from worker.zoho.adapter import ZohoCrm
from worker.zoho.check import check
from worker.zoho.client import ZohoClient
from worker.zoho.config import ZohoConfig, urls_for
from worker.zoho.tokens import MINT_LEASE_SECONDS, MINT_SPACING_SECONDS, AccessToken


def connect_crm(settings: Settings, engine: Engine) -> Crm:
    """The CRM for these settings; `SettingsError` lists what is missing. Opens no connection by itself."""
    return ZohoCrm(_client(settings, engine), settings.zoho_event_id_field)


def check_crm(
    settings: Settings, engine: Engine, fields: Sequence[CustomField], *, create: bool = False
) -> CheckReport:
    """Check that the CRM is ready. Calls without a permit, because it must be able to show why calls have stopped.

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
    return check(_client(settings, engine), zoho_config(settings), fields, create=create)


def record_url(settings: Settings, record_id: str | None) -> str | None:
    """The web address of a record in the CRM; None without a record."""
    if record_id is None:
        return None
    try:
        template = settings.zoho_record_url or urls_for(settings.zoho_data_center).record_url
    except ValueError as error:
        raise SettingsError(f"ZOHO_DATA_CENTER {error}") from error
    return template.replace("{id}", record_id)


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
    try:
        center = urls_for(settings.zoho_data_center)
    except ValueError as error:
        raise SettingsError(f"ZOHO_DATA_CENTER {error}") from error
    return ZohoConfig(
        client_id=settings.zoho_client_id,
        client_secret=settings.zoho_client_secret,
        refresh_token=settings.zoho_refresh_token,
        accounts_url=settings.zoho_accounts_url or center.accounts_url,
        api_url=settings.zoho_api_url or center.api_url,
        event_id_field=settings.zoho_event_id_field,
        call_seconds=settings.crm_call_seconds,
        lead_assignment_rule=settings.zoho_assignment_rule or None,
        trigger=settings.zoho_trigger,
    )


def _client(settings: Settings, engine: Engine) -> ZohoClient:
    return ZohoClient(zoho_config(settings), SharedTokenStore(TokenTable(engine)))


@dataclass(frozen=True, slots=True)
class SharedTokenStore:
    """The client's token store in the database: one token and one mint for all processes of all machines.

    See `worker.zoho.tokens.TokenStore`. The database stores how long a token is still valid, never an instant of
    one machine's clock.
    """

    table: TokenTable

    def current(self) -> AccessToken | None:
        """Return the newest finished token; its expiry is by this process's clock."""
        found = self.table.read()
        if found is None:
            return None
        value, life, scopes = found
        return AccessToken(value, datetime.now(UTC) + timedelta(seconds=life), tuple(scopes.split()))

    def begin_mint(self, stale: str | None) -> bool:
        """Whether this caller, and no other, may mint now."""
        begun = self.table.begin_mint(stale, spacing=MINT_SPACING_SECONDS, lease=MINT_LEASE_SECONDS)
        if begun:
            crash(CrashPoint.DURING_MINT)
        return begun

    def finish_mint(self, token: AccessToken) -> None:
        """Publish the new token."""
        life = (token.expires_at - datetime.now(UTC)).total_seconds()
        self.table.finish_mint(token.value, life, " ".join(token.scopes))

    def fail_mint(self, *, spent: bool, wait_seconds: float = 0.0, refusal: str | None = None) -> None:
        """End the mint without a token."""
        self.table.fail_mint(spent=spent, wait_seconds=wait_seconds, refusal=refusal)

    def refusal(self) -> str | None:
        """The code with which the last mint was refused."""
        found = self.table.refusal()
        return None if found is None else found[0]

    def mint_wait(self) -> float:
        """Seconds until a mint is allowed."""
        return self.table.mint_wait()
