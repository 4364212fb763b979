"""A mail server that delivers to no one: aiosmtpd receives, and the sandbox's page shows the mailbox.

Like a real mailbox it shows a message once however often it arrives, by its Message-ID.
"""

import asyncio
import email
import email.policy
import logging
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tools.sandbox.state import Sandbox

MAX_BYTES: Final = 10 * 1024 * 1024
COLUMNS: Final = ("message_id", "at", "sender", "recipient", "subject", "body", "headers", "received")


@dataclass(frozen=True, slots=True)
class MailSecurity:
    """What the server demands of clients: TLS (by STARTTLS, or from the first byte), and "user:password"."""

    tls: ssl.SSLContext | None = None
    implicit: bool = False
    login: str = ""

    @classmethod
    def load(cls, certificate: str, key: str, login: str, *, implicit: bool) -> "MailSecurity":
        """Read a certificate and its key, PEM files; "" for no TLS. `login`: "user:password", "" for none."""
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
        return cls(context, implicit, login)


class MailHandler:
    """aiosmtpd's hooks: check the login, keep the message."""

    def __init__(self, sandbox: Sandbox, security: MailSecurity) -> None:
        self._sandbox, self._security = sandbox, security

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _method: str, login: Any
    ) -> AuthResult:
        """Accept the one configured login (AUTH PLAIN and LOGIN)."""
        known = isinstance(login, LoginPassword) and b":".join(login) == self._security.login.encode()
        return AuthResult(success=known, handled=False)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Require the login, if one is configured."""
        if self._security.login and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the message first and reply after the fault's latency: a client killed meanwhile has sent it."""
        safe = self._security.implicit or session.ssl is not None
        # RFC 3848: ESMTP, S for TLS, A for a login.
        protocol = f"ESMTP{'S' if safe else ''}{'A' if session.authenticated else ''}"
        content = envelope.original_content or b""
        sender, recipients = envelope.mail_from or "", envelope.rcpt_tos
        keep(self._sandbox, sender, recipients, f"Received: with {protocol}\r\n".encode() + content)
        if slow := self._sandbox.faults.params("latency"):
            await asyncio.sleep(slow["ms"] / 1000)
        return "250 Kept"


def keep(sandbox: Sandbox, sender: str, recipients: list[str], raw: bytes) -> None:
    """Put a message into the mailbox, or count it if its Message-ID is there already."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain",))
    headers = "\n".join(f"{name}: {value}" for name, value in message.items())
    sandbox.ledger.db.execute(
        "INSERT INTO mails (message_id, at, sender, recipient, subject, body, headers) VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT (message_id) DO UPDATE SET received = received + 1",
        (
            str(message["Message-ID"]),
            datetime.fromtimestamp(sandbox.clock(), UTC).isoformat(timespec="milliseconds"),
            sender,
            ", ".join(recipients),
            str(message["Subject"]),
            "" if body is None else str(body.get_content()),
            headers,
        ),
    )


def mails(sandbox: Sandbox, limit: int, offset: int) -> dict[str, Any]:
    """Return a page of the mailbox, newest first. `received` counts deliveries of the same message."""
    db = sandbox.ledger.db
    total = db.execute("SELECT count(*) FROM mails").fetchone()[0]
    sql = f"SELECT {', '.join(COLUMNS)} FROM mails ORDER BY id DESC LIMIT ? OFFSET ?"  # noqa: S608 - constants
    return {
        "total": total,
        "mails": [dict(zip(COLUMNS, row, strict=True)) for row in db.execute(sql, (limit, offset))],
    }


async def listen_for_mail(sandbox: Sandbox, host: str, port: int, security: MailSecurity) -> asyncio.Server:
    """Receive mail; port 0 takes any free one."""
    loop, handler = asyncio.get_running_loop(), MailHandler(sandbox, security)
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd warns of its own deprecations on every login

    def connected() -> SMTP:
        return SMTP(
            handler,
            data_size_limit=MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname="sandbox.example",
            ident="ESMTP, delivers to no one",
            tls_context=None if security.implicit else security.tls,
            auth_require_tls=not security.implicit,
            auth_exclude_mechanism=() if security.login else ("LOGIN", "PLAIN"),
            authenticator=handler.authenticate,
            loop=loop,
        )

    return await loop.create_server(connected, host, port, ssl=security.tls if security.implicit else None)
