"""Parsers for the text of settings. Their `ValueError` says what a value must be, never what it was."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from typing import TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

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

# It appears in pages verbatim.
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


def _is_smtp(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in {"smtp", "smtps"} and bool(parts.hostname) and parts.port != 0


def _is_private(text: str) -> bool:
    """Whether what is sent there does not travel in plain text."""
    parts = urlsplit(text)
    is_local = parts.scheme == "http" and parts.hostname in {"127.0.0.1", "::1", "localhost"}
    return bool(parts.hostname) and (parts.scheme == "https" or is_local)


read_url = parser("look like https://host/path", re.compile("https?://[^/]").match, str)
read_redis_url = parser("look like redis://host:6379/0", re.compile("(rediss?|unix)://").match, Secret)
read_smtp_url = parser("look like smtp://user:password@host:587 or smtps://…", _is_smtp, Secret)
read_webhook_url = parser("look like https://host/path (http only on this machine)", _is_private, Secret)
# Eight different characters refuse words and repetitions, and hardly ever random digits.
read_key = parser(
    "have at least 16 characters, 8 of them different; `openssl rand -hex 32` prints a good one",
    lambda text: len(text) >= 16 and len(set(text)) >= 8,  # noqa: PLR2004 - as the words say
    Secret,
)


def _is_standard_webhooks_secret(text: str) -> bool:
    key = base64.b64decode(text.removeprefix("whsec_"), validate=True)
    return text.startswith("whsec_") and 24 <= len(key) <= 64  # noqa: PLR2004 - Standard Webhooks 1.0


read_webhook_secret = parser(
    "be whsec_ and 24 to 64 bytes as base64 (Standard Webhooks); "
    '`echo "whsec_$(openssl rand -base64 32)"` prints a good one',
    _is_standard_webhooks_secret,
    Secret,
)


def read_database_url(text: str) -> Secret:
    """Parse PostgreSQL's address; return it with the driver that is used."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise ValueError("must look like postgresql://user:password@host:5432/name")
    return Secret(f"postgresql+psycopg://{_hosts_as_options(rest)}")


def _hosts_as_options(rest: str) -> str:
    """Write several servers, "one:5432,two:5432", as SQLAlchemy reads them: ?host=one:5432&host=two:5432."""
    parts = urlsplit(f"//{rest}")
    login, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return rest
    options = "&".join([*(f"host={host}" for host in hosts.split(",")), *filter(None, [parts.query])])
    return f"{login}{at}{parts.path}?{options}"


def is_guarded(database_url: str, environ: Mapping[str, str]) -> bool:
    """Return whether the address has a password or leads to a local socket.

    libpq takes the password from elsewhere too: from a variable, a file, or a client's certificate.
    """
    parts = urlsplit(database_url)
    options = parse_qs(parts.query)
    host = options.get("host", [unquote(parts.hostname or "")])[0]
    is_local = host.startswith(("/", "@")) or not host
    elsewhere = {"password", "passfile", "sslcert", "service"} & options.keys()
    return bool(is_local or parts.password or elsewhere or environ.get("PGPASSWORD") or environ.get("PGPASSFILE"))
