"""What every delivery needs, made once a process: settings, engine, CRM client, mapping, and the stop sign."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from leads.crm_state.token import TokenTable
from leads.db import connect_engine
from leads.outbox.rows import Kind
from leads.settings import Settings, SettingsError, read_settings
from worker.crash import CrashPoint, crash
from worker.delivery.mapping import MappingConfig, click_record, lead_record, parse_fields
from worker.token_store import SharedTokenStore
from worker.zoho.client import ZohoClient
from worker.zoho.config import ZohoConfig, urls_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Engine

    from leads.outbox.rows import Claimed
    from worker.zoho.errors import Verdict

MODULE = "Leads"  # clicks become records of the same module: sales staff have one list


def zoho_config(settings: Settings) -> ZohoConfig:
    """The client's configuration; `SettingsError` names what is missing."""
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
        accounts_url, api_url = urls_for(settings.zoho_data_center)
    except ValueError as error:
        raise SettingsError(f"ZOHO_DATA_CENTER {error}") from error
    return ZohoConfig(
        client_id=settings.zoho_client_id,
        client_secret=settings.zoho_client_secret,
        refresh_token=settings.zoho_refresh_token,
        accounts_url=settings.zoho_accounts_url or accounts_url,
        api_url=settings.zoho_api_url or api_url,
        event_id_field=settings.zoho_event_id_field,
        call_seconds=settings.crm_call_seconds,
        lead_assignment_rule=settings.zoho_assignment_rule or None,
        trigger=settings.zoho_trigger,
    )


def mapping_config(settings: Settings) -> MappingConfig:
    """How rows become records; `SettingsError` names what is wrong with ZOHO_FIELD_MAP."""
    try:
        fields = parse_fields(settings.zoho_field_map)
    except ValueError as error:
        raise SettingsError(f"ZOHO_FIELD_MAP {error}") from error
    return MappingConfig(
        event_id_field=settings.zoho_event_id_field,
        lead_source=settings.zoho_lead_source,
        click_source=settings.zoho_click_source,
        strip_non_bmp_names=settings.zoho_strip_emoji,
        fields=fields,
    )


@dataclass(frozen=True, slots=True)
class Crm:
    """One process's way to the CRM. `stopping` is set when the process was asked to end.

    `retry_turns`: retries use at most half of the threads, so that fresh rows keep the other half. `spare_turns`:
    while no fresh row is due, all of that half but one thread deliver retries too.
    """

    settings: Settings
    engine: Engine
    client: ZohoClient
    mapping: MappingConfig
    retry_turns: threading.Semaphore
    spare_turns: threading.Semaphore
    mail_turn: threading.Lock = field(default_factory=threading.Lock)
    stopping: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        """Give connections back: to the database and to the CRM."""
        self.client.close()
        self.engine.dispose()

    def record(self, row: Claimed) -> dict[str, object]:
        """The row as a record of the CRM's."""
        to_record = lead_record if row.kind is Kind.LEAD else click_record
        return to_record(row.values, self.mapping)

    def upsert(self, records: Sequence[Mapping[str, object]], *, call_id: str) -> list[Verdict]:
        """One call for up to 100 records; a verdict each, in order. Raises `CallFailed`."""
        crash(self.settings.crash_at, CrashPoint.REQUEST_SENT)
        return self.client.upsert(MODULE, records, call_id=call_id)


def make_crm(settings: Settings) -> Crm:
    """A way to the CRM for these settings. Raises `SettingsError`."""
    threads = settings.crm_concurrency
    # Each thread holds a slot's connection while it needs another, and the tick one more: a pool that is too small
    # for that has threads wait for each other. Twice as many may be open.
    engine = connect_engine(settings.database_url, pool=max(settings.database_pool, threads + 2), name="worker")
    client = ZohoClient(zoho_config(settings), SharedTokenStore(TokenTable(engine), settings.crash_at))
    half = max(1, threads // 2)
    turns, spare = threading.BoundedSemaphore(half), threading.BoundedSemaphore(max(0, threads - half - 1))
    return Crm(settings, engine, client, mapping_config(settings), turns, spare)


@cache
def get_crm() -> Crm:
    """This process's way to the CRM, made at first use."""
    return make_crm(read_settings())
