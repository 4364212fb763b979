"""Every setting of the product, read from the environment in one place.

`.env.example` explains each variable to operators; secrets never print.
"""

import hmac
import logging
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from leads.destinations import CRM, PATIENCE_SECONDS, STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.lifecycle import LEASE_SECONDS
from leads.logs import JSON, TEXT

log = logging.getLogger(__name__)

# Placeholder numbers, shown until the clinic's own are set; frontend/src/lib/pageSettings.ts has the same.
PLACEHOLDER_PHONE, PLACEHOLDER_WHATSAPP = "+90 212 000 00 00", "902120000000"


class SettingsError(Exception):
    """One or more environment variables are missing or unusable; the message lists them all."""


T = TypeVar("T")


class Secret(str):
    """A string that hides its value in reprs, logs and the locals of tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value, but show whether there is one."""
        return "Secret(set)" if self else "Secret(empty)"


def parser(must: str, accepts: Callable[[str], object], result: Callable[[str], T]) -> Callable[[str], T]:
    """Return a parser; a text that `accepts` refuses, by its answer or a `ValueError`, must be what `must` says."""

    def parse(text: str) -> T:
        try:
            is_accepted = accepts(text)
        except ValueError:
            is_accepted = False
        if not is_accepted:
            raise ValueError(f"must {must}") from None
        return result(text)

    return parse


def whole(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `lowest` to `highest`."""
    must = f"be a whole number from {lowest} to {highest}"
    return parser(must, lambda text: text.isdigit() and lowest <= int(text) <= highest, int)


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser that accepts `choices` only."""
    return parser(f"be one of {', '.join(choices)}", choices.__contains__, str)


SWITCH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
read_switch = parser("be yes or no", lambda text: text.lower() in SWITCH, lambda text: SWITCH[text.lower()])

# Pages show it verbatim.
read_phone = parser(
    "be a phone number with its country code, for example +90 212 555 00 00",
    re.compile(r"\+?[0-9][0-9 ().-]*").fullmatch,
    str,
)


def _is_address(text: str) -> bool:
    return "@" in parseaddr(text)[1]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


read_address = parser("be an e-mail address, with or without a name before it", _is_address, str)
read_addresses = parser(
    "be e-mail addresses, separated by commas",
    lambda text: all(_is_address(part) for part in _split(text)),
    lambda text: tuple(_split(text)),
)


read_url = parser("look like https://host/path", re.compile("https?://[^/]").match, str)
read_redis_url = parser("look like redis://host:6379/0", re.compile("(rediss?|unix)://").match, Secret)
read_smtp_url = parser(
    "look like smtp://user:password@host:587 or smtps://…",
    re.compile(r"smtps?://([^/]*@)?(\[[0-9A-Fa-f:]+\]|[^/@:]+)(:[1-9][0-9]*)?(/.*)?").fullmatch,
    Secret,
)
# No lead travels there in plain text.
read_webhook_url = parser(
    "look like https://host/path (http only on this machine)",
    re.compile(r"https://[^/]|http://(127\.0\.0\.1|\[::1\]|localhost)(:[0-9]+)?(/|$)").match,
    Secret,
)
# Eight different characters refuse words and repetitions, and hardly ever random digits.
read_key = parser(
    "have at least 16 characters, 8 of them different; `openssl rand -hex 32` prints a good one",
    lambda text: len(text) >= 16 and len(set(text)) >= 8,  # noqa: PLR2004 - as the words say
    Secret,
)


read_webhook_secret = parser(
    "be whsec_ and 24 to 64 bytes as base64 (Standard Webhooks); "
    '`echo "whsec_$(openssl rand -base64 32)"` prints a good one',
    re.compile(
        "whsec_(?=[A-Za-z0-9+/]{32,86}=*$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
    ).fullmatch,
    Secret,
)


def read_database_url(text: str) -> Secret:
    """Parse PostgreSQL's address; return it with the driver that is used."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise ValueError("must look like postgresql://user:password@host:5432/name")
    return Secret(f"postgresql+psycopg://{rest}")


def _env(name: str, default: Any = MISSING, parse: Callable[[str], Any] = str) -> Any:
    """Declare a setting: its variable, its default (none: it is required) and the parser of its text."""
    return field(default=default, metadata={"env": name, "parse": parse})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What differs between deployments. Times are in seconds unless the name says otherwise."""

    # Stores
    database_url: Secret = _env("DATABASE_URL", parse=read_database_url)
    redis_url: Secret = _env("REDIS_URL", Secret("redis://127.0.0.1:6379/0"), read_redis_url)
    data_dir: Path = _env("DATA_DIR", Path(".data"), Path)  # of `make run`

    # Logs of the site and of the workers, and where their errors are reported
    log_format: str = _env("LOG_FORMAT", TEXT, one_of(TEXT, JSON))
    sentry_dsn: str = _env("SENTRY_DSN", "", read_url)

    # The site
    host: str = _env("HOST", "127.0.0.1")
    port: int = _env("PORT", 8000, whole(1, 65_535))
    metrics_host: str = _env("METRICS_HOST", "127.0.0.1")
    metrics_port: int = _env("METRICS_PORT", 0, whole(0, 65_535))
    environment: str = _env("ENVIRONMENT", "development", one_of("development", "production"))
    frontend_dir: Path = _env("FRONTEND_DIR", Path("frontend/dist"), Path)
    kept_files_dir: Path | None = _env("KEPT_FILES_DIR", None, Path)
    trusted_proxy_hops: int = _env("TRUSTED_PROXY_HOPS", 0, whole(0, 10))
    country_header: str = _env("COUNTRY_HEADER", "")
    clinic_phone: str = _env("CLINIC_PHONE", PLACEHOLDER_PHONE, read_phone)
    whatsapp_number: str = _env("WHATSAPP_NUMBER", PLACEHOLDER_WHATSAPP, read_phone)
    show_samples: bool | None = _env("SHOW_SAMPLES", None, read_switch)
    attribution_storage: str = _env("ATTRIBUTION_STORAGE", "", one_of("", "immediate", "after-consent"))
    google_ads_conversion: str = _env("GOOGLE_ADS_CONVERSION", "")
    meta_pixel_id: str = _env("META_PIXEL_ID", "")
    analytics_id: str = _env("ANALYTICS_ID", "")

    # Zoho CRM
    zoho_client_id: str = _env("ZOHO_CLIENT_ID", "")
    zoho_client_secret: Secret = _env("ZOHO_CLIENT_SECRET", Secret(""), Secret)
    zoho_refresh_token: Secret = _env("ZOHO_REFRESH_TOKEN", Secret(""), Secret)
    zoho_data_center: str = _env("ZOHO_DATA_CENTER", "EU", str.upper)
    zoho_url: str = _env("ZOHO_URL", "", read_url)
    zoho_fields: str = _env("ZOHO_FIELDS", "essential", one_of("essential", "all"))
    zoho_field_map: str = _env("ZOHO_FIELD_MAP", "")
    zoho_assignment_rule: str = _env("ZOHO_ASSIGNMENT_RULE", "")

    # Delivery
    crm_concurrency: int = _env("CRM_CONCURRENCY", 10, whole(1, 25))
    # How long a worker owns a row. What else must be shorter follows from it.
    crm_lease_seconds: float = _env("CRM_LEASE_SECONDS", LEASE_SECONDS, whole(1, 600))

    # Mail. MAIL_FROM decides whether visitors are owed an acknowledgement; only workers need the server.
    smtp_url: Secret = _env("SMTP_URL", Secret(""), read_smtp_url)
    mail_from: str = _env("MAIL_FROM", "", read_address)
    mail_reply_to: str = _env("MAIL_REPLY_TO", "", read_address)

    # What staff are told of each lead, and how
    staff_mail_to: tuple[str, ...] = _env("STAFF_MAIL_TO", (), read_addresses)
    lead_webhook_url: Secret = _env("LEAD_WEBHOOK_URL", Secret(""), read_webhook_url)
    lead_webhook_secret: Secret = _env("LEAD_WEBHOOK_SECRET", Secret(""), read_webhook_secret)
    staff_notice: str = _env("STAFF_NOTICE", "brief", one_of("brief", "full"))

    # How long things are kept
    retention_months: int = _env("RETENTION_MONTHS", 24, whole(1, 600))

    # Keys the hashes of erased people, so that they cannot be reversed by guessing.
    erasure_key: Secret = _env("ERASURE_KEY", Secret(""), read_key)

    def derive_key(self, purpose: str) -> bytes:
        """Return a key of 32 bytes for one purpose, the same in all processes of a deployment."""
        secret = self.erasure_key or self.database_url
        return hmac.digest(secret.encode(), purpose.encode(), "sha256")

    @property
    def crm_call_seconds(self) -> float:
        """The wall clock of one call. It ends while its lease holds, or two workers could send the same row."""
        return self.crm_lease_seconds * 5 / 12

    @property
    def look_seconds(self) -> float:
        """How often workers look for due rows."""
        return self.crm_lease_seconds / 12

    @property
    def lead_destinations(self) -> dict[str, float]:
        """The destinations that are owed something for each lead, and how many seconds after it was stored.

        A tap on a WhatsApp button is owed to the CRM alone.
        """
        messages = {VISITOR: self.mail_from, STAFF_MAIL: self.staff_mail_to, STAFF_WEBHOOK: self.lead_webhook_url}
        return {CRM: 0.0} | {name: PATIENCE_SECONDS for name, is_set_up in messages.items() if is_set_up}

    @property
    def samples_shown(self) -> bool:
        """Whether pages show content marked as a sample: as set, or by environment (not in production)."""
        return self.environment != "production" if self.show_samples is None else self.show_samples

    @property
    def storage_mode(self) -> str:
        """How the browser may store campaign data: as set, or by environment (after consent in production)."""
        if self.attribution_storage:
            return self.attribution_storage
        return "after-consent" if self.environment == "production" else "immediate"


def read_variable(name: str, environ: Mapping[str, str]) -> str:
    """Return the variable's text, or that of a secret's file: of its name in lower case, in CREDENTIALS_DIRECTORY.

    systemd sets that variable for what it hands to a unit, Compose for /run/secrets. A variable that is set but
    empty counts as unset. `ValueError` says why it is unusable.
    """
    text, folder = environ.get(name, "").strip(), environ.get("CREDENTIALS_DIRECTORY", "").strip()
    if not folder:
        return text
    file = Path(folder, name.lower())
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return text
    except (OSError, ValueError):
        raise ValueError(f"cannot be read from {file}") from None
    if text and secret:
        raise ValueError(f"is set, and so is the file {file}: set one of them")
    return secret or text


def read_settings(
    environ: Mapping[str, str] | None = None,
    *,
    needed: Collection[str] = (),
    check: Callable[[Settings], Iterable[str]] = lambda _: (),
) -> Settings:
    """Read all settings, from the variables of this process unless others are given.

    needed: the variables that this process requires in production. check: what else it finds wrong with them.
    `SettingsError` lists every missing or unusable variable, never its value; a name that is nearly a setting's is
    warned of.
    """
    environ = os.environ if environ is None else environ
    needed = needed if environ.get("ENVIRONMENT", "").strip() == "production" else ()
    values: dict[str, Any] = {}
    problems: list[str] = []
    for setting in fields(Settings):
        name = setting.metadata["env"]
        try:
            if text := read_variable(name, environ):
                values[setting.name] = setting.metadata["parse"](text)
            elif setting.default is MISSING or name in needed:
                problems.append(f"{name} is required")
        except ValueError as error:
            problems.append(f"{name} {error}")
    for name in environ:
        _warn_of_typo(name)
    settings = Settings(**{"database_url": Secret("")} | values)
    problems += [*_contradictions(settings, environ), *check(settings)]
    if problems:
        raise SettingsError("\n  ".join(["This needs attention first:", *problems]))
    return settings


@cache  # the settings are read more than once
def _warn_of_typo(name: str) -> None:
    known = [setting.metadata["env"] for setting in fields(Settings)]
    if name not in known and (meant := get_close_matches(name.removesuffix("_FILE"), known, 1, 0.85)):
        log.warning("%s is no setting: did you mean %s?", name, meant[0])


def _contradictions(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with values that are valid alone."""
    if settings.environment == "production" and not _is_guarded(settings.database_url, environ):
        yield "DATABASE_URL must have a password in production, or name a local socket"
    if settings.staff_mail_to and not settings.mail_from:
        yield "STAFF_MAIL_TO needs MAIL_FROM, the sender of the mail"


def _is_guarded(database_url: str, environ: Mapping[str, str]) -> bool:
    """Return whether the address has a password or leads to a local socket.

    libpq takes the password from elsewhere too: from a variable, a file, or a client's certificate.
    """
    parts = urlsplit(database_url)
    options = parse_qs(parts.query)
    host = options.get("host", [unquote(parts.hostname or "")])[0]
    is_local = host.startswith(("/", "@")) or not host
    elsewhere = {"password", "passfile", "sslcert", "service"} & options.keys()
    return bool(is_local or parts.password or elsewhere or environ.get("PGPASSWORD") or environ.get("PGPASSFILE"))
