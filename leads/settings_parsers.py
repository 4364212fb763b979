"""Parsers for the text of settings. Their `ValueError` says what a value must be, never what it was."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from urllib.parse import parse_qs, unquote, urlsplit

MIN_KEY_LENGTH = 16
MIN_KEY_VARIETY = 8  # different characters: refuses words and repetitions, and hardly ever random digits


class Secret(str):
    """A string that hides its value in reprs, logs and the locals of tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Hide the value, but show whether there is one."""
        return "Secret(set)" if self else "Secret(empty)"


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


def read_redis_url(text: str) -> Secret:
    """Parse the address of a Redis server."""
    if not text.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must look like redis://host:6379/0")
    return Secret(text)


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


def read_key(text: str) -> Secret:
    """Parse a secret, which must be too long and too varied to be guessed."""
    if len(text) < MIN_KEY_LENGTH or len(set(text)) < MIN_KEY_VARIETY:
        raise ValueError(
            f"must have at least {MIN_KEY_LENGTH} characters, {MIN_KEY_VARIETY} of them different; "
            "`openssl rand -hex 32` prints a good one"
        )
    return Secret(text)


WEBHOOK_SECRET_PREFIX = "whsec_"  # noqa: S105 - of every secret of Standard Webhooks


def read_webhook_secret(text: str) -> Secret:
    """Parse the secret of a webhook, as Standard Webhooks 1.0 has it: "whsec_" and 24 to 64 bytes as base64."""
    try:
        key = base64.b64decode(text.removeprefix(WEBHOOK_SECRET_PREFIX), validate=True)
    except ValueError:
        key = b""
    if not text.startswith(WEBHOOK_SECRET_PREFIX) or not 24 <= len(key) <= 64:  # noqa: PLR2004 - the standard's
        raise ValueError(
            "must be whsec_ and 24 to 64 bytes as base64 (Standard Webhooks); "
            '`echo "whsec_$(openssl rand -base64 32)"` prints a good one'
        )
    return Secret(text)


def read_smtp_url(text: str) -> Secret:
    """Parse the address of a mail server, with its login."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in {"smtp", "smtps"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("must look like smtp://user:password@host:587 or smtps://…")
    return Secret(text)


def read_url(text: str) -> str:
    """Parse an absolute web address."""
    if urlsplit(text).scheme not in {"http", "https"} or not urlsplit(text).netloc:
        raise ValueError("must look like https://host/path")
    return text


def read_address(text: str) -> str:
    """Parse an e-mail address, with or without a name before it."""
    if "@" not in parseaddr(text)[1]:
        raise ValueError("must be an e-mail address, with or without a name before it")
    return text


def read_addresses(text: str) -> tuple[str, ...]:
    """Parse e-mail addresses separated by commas."""
    return tuple(read_address(address) for address in read_names(text))


def read_webhook_url(text: str) -> Secret:
    """Parse the address of a webhook; what it carries must not travel in plain text."""
    parts = urlsplit(text)
    is_local = parts.scheme == "http" and parts.hostname in {"127.0.0.1", "::1", "localhost"}
    if not parts.hostname or not (parts.scheme == "https" or is_local):
        raise ValueError("must look like https://host/path (http only on this machine)")
    return Secret(text)


def whole(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `lowest` to `highest`."""

    def parse(text: str) -> int:
        if not text.strip().isdigit() or not lowest <= int(text) <= highest:
            raise ValueError(f"must be a whole number from {lowest} to {highest}")
        return int(text)

    return parse


def seconds(lowest: float, highest: float) -> Callable[[str], float]:
    """Return a parser of seconds from `lowest` to `highest`."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not lowest <= value <= highest:
            raise ValueError(f"must be seconds from {lowest:g} to {highest:g}")
        return value

    return parse


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser that accepts `choices` only."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def read_switch(text: str) -> bool:
    """Parse yes or no."""
    if text.lower() not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ValueError("must be yes or no")
    return text.lower() in {"1", "true", "yes", "on"}


def read_phone(text: str) -> str:
    """Parse a phone number as people write it; it appears in pages verbatim."""
    if not re.fullmatch(r"\+?[0-9][0-9 ().-]*", text):
        raise ValueError("must be a phone number with its country code, for example +90 212 555 00 00")
    return text


def read_names(text: str) -> tuple[str, ...]:
    """Parse names separated by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())
