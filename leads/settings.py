"""Every setting of the product, read from the environment in one place.

`read_settings()` gives one frozen `Settings`, or fails with one message that lists every bad variable.
What each variable means for an operator stands in `.env.example`; secrets never print.
"""

from __future__ import annotations

import os
from dataclasses import MISSING, Field, dataclass, field, fields
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


SHORTEST_KEY = 16


class SettingsError(Exception):
    """One or more environment variables are missing or unusable; the message lists them all."""


class Secret(str):
    """A string that does not show itself in reprs, logs or tracebacks' locals."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value, but say whether there is one."""
        return "Secret(set)" if self else "Secret(empty)"


def _database_url(text: str) -> Secret:
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise ValueError("must look like postgresql://user:password@host:5432/name")
    return Secret(f"postgresql+psycopg://{rest}")


def _redis_url(text: str) -> Secret:
    if not text.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must look like redis://host:6379/0")
    return Secret(text)


def _key(text: str) -> Secret:
    if len(text) < SHORTEST_KEY:
        raise ValueError(f"must have at least {SHORTEST_KEY} characters")
    return Secret(text)


def _smtp_url(text: str) -> Secret:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in {"smtp", "smtps"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("must look like smtp://user:password@host:587 or smtps://…")
    return Secret(text)


def _web_address(text: str) -> str:
    if urlsplit(text).scheme not in {"http", "https"} or not urlsplit(text).netloc:
        raise ValueError("must look like https://host/path")
    return text


def _address(text: str) -> str:
    if "@" not in parseaddr(text)[1]:
        raise ValueError("must be an e-mail address, with or without a name before it")
    return text


def _whole(lowest: int, highest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.strip().isdigit() or not lowest <= int(text) <= highest:
            raise ValueError(f"must be a whole number from {lowest} to {highest}")
        return int(text)

    return parse


def _seconds(lowest: float, highest: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not lowest <= value <= highest:
            raise ValueError(f"must be seconds from {lowest:g} to {highest:g}")
        return value

    return parse


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def _switch(text: str) -> bool:
    if text.lower() not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ValueError("must be yes or no")
    return text.lower() in {"1", "true", "yes", "on"}


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _env(name: str, default: Any = MISSING, parse: Callable[[str], Any] = str) -> Any:
    """Declare a setting: its variable, its default (none: it is required) and how its text is read."""
    metadata = {"env": name, "parse": parse}
    if default is MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What differs between deployments. Times are in seconds unless the name says otherwise."""

    # Stores
    database_url: Secret = _env("DATABASE_URL", parse=_database_url)
    redis_url: Secret = _env("REDIS_URL", Secret("redis://127.0.0.1:6379/0"), _redis_url)
    database_pool: int = _env("DATABASE_POOL", 8, _whole(1, 100))

    # The site
    environment: str = _env("ENVIRONMENT", "development", _one_of("development", "production"))
    frontend_dir: Path = _env("FRONTEND_DIR", Path("frontend/dist"), Path)
    trusted_proxy_hops: int = _env("TRUSTED_PROXY_HOPS", 0, _whole(0, 10))
    country_header: str = _env("COUNTRY_HEADER", "CF-IPCountry")
    clinic_phone: str = _env("CLINIC_PHONE", "+90 212 000 00 00")
    whatsapp_number: str = _env("WHATSAPP_NUMBER", "902120000000")
    geo_url: str = _env("GEO_URL", "/api/geo")
    show_samples: bool | None = _env("SHOW_SAMPLES", None, _switch)
    attribution_storage: str = _env("ATTRIBUTION_STORAGE", "", _one_of("", "immediate", "after-consent"))
    google_ads_conversion: str = _env("GOOGLE_ADS_CONVERSION", "")
    meta_pixel_id: str = _env("META_PIXEL_ID", "")
    analytics_id: str = _env("ANALYTICS_ID", "")
    google_tag_url: str = _env("GOOGLE_TAG_URL", "https://www.googletagmanager.com/gtag/js", _web_address)
    meta_script_url: str = _env("META_SCRIPT_URL", "https://connect.facebook.net/en_US/fbevents.js", _web_address)

    # Zoho CRM
    zoho_client_id: str = _env("ZOHO_CLIENT_ID", "")
    zoho_client_secret: Secret = _env("ZOHO_CLIENT_SECRET", Secret(""), Secret)
    zoho_refresh_token: Secret = _env("ZOHO_REFRESH_TOKEN", Secret(""), Secret)
    zoho_data_center: str = _env("ZOHO_DATA_CENTER", "EU", str.upper)
    zoho_accounts_url: str = _env("ZOHO_ACCOUNTS_URL", "")
    zoho_api_url: str = _env("ZOHO_API_URL", "")
    zoho_event_id_field: str = _env("ZOHO_EVENT_ID_FIELD", "Website_Event_ID")
    zoho_lead_source: str = _env("ZOHO_LEAD_SOURCE", "Website")
    zoho_click_source: str = _env("ZOHO_CLICK_SOURCE", "WhatsApp")
    zoho_field_map: str = _env("ZOHO_FIELD_MAP", "")
    zoho_assignment_rule: str = _env("ZOHO_ASSIGNMENT_RULE", "")
    zoho_trigger: tuple[str, ...] | None = _env("ZOHO_TRIGGER", None, _names)
    zoho_strip_emoji: bool = _env("ZOHO_STRIP_EMOJI", False, _switch)  # noqa: FBT003 - a default, not a call

    # Delivery
    crm_batch_rows: int = _env("CRM_BATCH_ROWS", 100, _whole(1, 100))
    crm_concurrency: int = _env("CRM_CONCURRENCY", 4, _whole(1, 20))
    crm_calls_in_flight: int = _env("CRM_CALLS_IN_FLIGHT", 8, _whole(1, 25))
    crm_credits_reserve: int = _env("CRM_CREDITS_RESERVE", 200, _whole(0, 1_000_000))
    crm_repeat: str = _env("CRM_REPEAT", "mark", _one_of("mark", "merge"))
    crm_lease_seconds: float = _env("CRM_LEASE_SECONDS", 60.0, _seconds(2, 600))
    crm_call_seconds: float = _env("CRM_CALL_SECONDS", 25.0, _seconds(0.5, 300))
    crm_tick_seconds: float = _env("CRM_TICK_SECONDS", 5.0, _seconds(0.1, 60))

    # Mail: acknowledgements to visitors; without a server none is written or sent
    smtp_url: Secret = _env("SMTP_URL", Secret(""), _smtp_url)
    mail_from: str = _env("MAIL_FROM", "Clinic enquiries <enquiries@clinic.example>", _address)
    mail_reply_to: str = _env("MAIL_REPLY_TO", "", _address)
    mail_timeout_seconds: float = _env("MAIL_TIMEOUT_SECONDS", 10.0, _seconds(0.1, 60))
    mail_lease_seconds: float = _env("MAIL_LEASE_SECONDS", 120.0, _seconds(1, 1200))

    # How long things are kept, by the workers' daily run
    retention_months: int = _env("RETENTION_MONTHS", 24, _whole(1, 600))
    address_days: int = _env("ADDRESS_DAYS", 30, _whole(1, 3650))

    # Keys the hashes that stand for erased people, so that nobody can guess them back.
    erasure_key: Secret = _env("ERASURE_KEY", Secret(""), _key)

    # For drills alone: where a worker dies (worker/crash.py lists the points).
    crash_at: str = _env("CRASH_AT", "")

    @property
    def samples_shown(self) -> bool:
        """Whether pages show content still marked as a sample: chosen, or by environment (not in production)."""
        return self.environment != "production" if self.show_samples is None else self.show_samples

    @property
    def storage_mode(self) -> str:
        """How the browser may keep campaign data: chosen, or by environment (consent first in production)."""
        if self.attribution_storage:
            return self.attribution_storage
        return "after-consent" if self.environment == "production" else "immediate"


def _read(setting: Field[Any], environ: Mapping[str, str]) -> Any:
    """The setting's value; a variable that is set but empty counts as not set (compose files do that)."""
    text = environ.get(setting.metadata["env"], "").strip()
    if text:
        return setting.metadata["parse"](text)
    if setting.default is MISSING:
        raise ValueError("is required")
    return setting.default


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read all settings; `SettingsError` lists every variable that is missing or unusable, never its value."""
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    problems: list[str] = []
    for setting in fields(Settings):
        try:
            values[setting.name] = _read(setting, environ)
        except ValueError as error:
            problems.append(f"  {setting.metadata['env']} {error}")
    if not problems:
        settings = Settings(**values)
        problems = _contradictions(settings)
        if not problems:
            return settings
    raise SettingsError("These environment variables need attention:\n" + "\n".join(problems))


def _contradictions(settings: Settings) -> list[str]:
    """Settings that are each fine and do not fit together."""
    problems = []
    # A call must end while its lease still holds, or two workers could send the same row.
    if settings.crm_call_seconds > settings.crm_lease_seconds / 2:
        problems.append("  CRM_CALL_SECONDS must be at most half of CRM_LEASE_SECONDS")
    # Half a lease for connecting (six answers), half for the last message begun (four).
    if settings.mail_timeout_seconds * 12 > settings.mail_lease_seconds:
        problems.append("  MAIL_LEASE_SECONDS must be at least twelve times MAIL_TIMEOUT_SECONDS")
    return problems
