"""A mail server that delivers to nobody: a small SMTP receiver, and the mailbox that the page shows.

As real mailboxes do, it shows a message once however often it comes: by its Message-ID.
"""

import asyncio
import base64
import email
import email.policy
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from dev.sandbox.state import Sandbox

LARGEST: Final = 10 * 1024 * 1024
GREETING: Final = "220 sandbox.example ESMTP, delivers to nobody"
FEATURES: Final = ("250-sandbox.example", "250-8BITMIME", "250-SMTPUTF8", f"250 SIZE {LARGEST}")
COLUMNS: Final = ("message_id", "at", "sender", "recipient", "subject", "body", "headers", "received")


@dataclass(frozen=True, slots=True)
class MailGuard:
    """What the receiver asks of clients: TLS (by STARTTLS, or from the first byte), and "user:password"."""

    tls: ssl.SSLContext | None = None
    implicit: bool = False
    login: str = ""


def make_guard(certificate: str, key: str, login: str, *, implicit: bool) -> MailGuard:
    """Give the guard for a certificate and its key (files in PEM; "" for none)."""
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    return MailGuard(context, implicit, login)


class Conversation:
    """One client's connection. Understands what smtplib says."""

    def __init__(
        self,
        sandbox: Sandbox,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        guard: MailGuard,
    ) -> None:
        self._sandbox, self._reader, self._writer, self._guard = sandbox, reader, writer, guard
        self._safe, self._known = guard.implicit, not guard.login
        self._sender: str | None = None
        self._recipients: list[str] = []

    async def hold(self) -> None:
        """Answer until the client has gone."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            await self._say(GREETING)
            while line := (await self._reader.readline()).decode("utf-8", "replace").strip():
                verb, _, rest = line.partition(" ")
                if verb.upper() == "QUIT":
                    await self._say("221 Bye")
                    break
                await self._answer(verb.upper(), rest)
        self._writer.close()

    async def _answer(self, verb: str, rest: str) -> None:
        match verb:
            case "EHLO":
                await self._say(FEATURES[0], *self._offers(), *FEATURES[1:])
            case "STARTTLS" if self._guard.tls and not self._safe:
                await self._say("220 Go ahead")
                await self._writer.start_tls(self._guard.tls)
                self._safe = True
            case "AUTH" if self._guard.login and self._safe:
                self._known = _told(rest) == self._guard.login
                await self._say("235 Welcome" if self._known else "535 Not known here")
            case "MAIL" if not self._known:
                await self._say("530 Log in first")
            case "HELO" | "NOOP":
                await self._say("250 OK")
            case "RSET" | "MAIL":
                self._sender, self._recipients = (_address(rest) if verb == "MAIL" else None), []
                await self._say("250 OK")
            case "RCPT" if self._sender is not None:
                self._recipients.append(_address(rest))
                await self._say("250 OK")
            case "DATA" if self._recipients:
                await self._say("354 Go on")
                await self._take()
            case "RCPT" | "DATA":
                await self._say("503 Not in this order")
            case _:
                await self._say("502 Not understood")

    def _offers(self) -> list[str]:
        offers = ["250-STARTTLS"] if self._guard.tls and not self._safe else []
        return [*offers, "250-AUTH PLAIN"] if self._guard.login and self._safe else offers

    async def _take(self) -> None:
        raw = (await self._reader.readuntil(b"\r\n.\r\n")).removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")
        # As RFC 3848 names it: ESMTP, S for TLS, A for a login.
        way = f"ESMTP{'S' if self._safe else ''}{'A' if self._guard.login else ''}"
        keep(self._sandbox, self._sender or "", self._recipients, f"Received: with {way}\r\n".encode() + raw)
        if slow := self._sandbox.faults.params("latency"):
            await asyncio.sleep(slow["ms"] / 1000)
        self._sender, self._recipients = None, []
        await self._say("250 Kept")

    async def _say(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await self._writer.drain()


def keep(sandbox: Sandbox, sender: str, recipients: list[str], raw: bytes) -> None:
    """Put a message into the mailbox, or count it when its Message-ID is there already."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain",))
    headers = "\n".join(f"{name}: {value}" for name, value in message.items())
    sandbox.ledger.db.execute(
        "INSERT INTO mails (message_id, at, sender, recipient, subject, body, headers) VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT (message_id) DO UPDATE SET received = received + 1",
        (
            str(message["Message-ID"]),
            datetime.now(UTC).isoformat(timespec="milliseconds"),
            sender,
            ", ".join(recipients),
            str(message["Subject"]),
            "" if body is None else str(body.get_content()),
            headers,
        ),
    )
    sandbox.mails += 1


def mails(sandbox: Sandbox, limit: int, offset: int) -> dict[str, Any]:
    """Give a page of the mailbox, newest first. `received` counts deliveries of the same message."""
    db = sandbox.ledger.db
    total = db.execute("SELECT count(*) FROM mails").fetchone()[0]
    sql = f"SELECT {', '.join(COLUMNS)} FROM mails ORDER BY id DESC LIMIT ? OFFSET ?"  # noqa: S608 - constants
    return {
        "total": total,
        "mails": [dict(zip(COLUMNS, row, strict=True)) for row in db.execute(sql, (limit, offset))],
    }


async def listen_for_mail(sandbox: Sandbox, host: str, port: int, guard: MailGuard) -> asyncio.Server:
    """Open the port (0: any free one) and receive mail on it."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await Conversation(sandbox, reader, writer, guard).hold()

    tls = guard.tls if guard.implicit else None
    return await asyncio.start_server(converse, host, port, limit=LARGEST, ssl=tls)


def _told(rest: str) -> str:
    """What AUTH PLAIN carries, as "user:password"."""
    try:
        _, user, password = base64.b64decode(rest.partition(" ")[2]).decode().split("\0")
    except ValueError:
        return ""
    return f"{user}:{password}"


def _address(rest: str) -> str:
    return rest.partition("<")[2].partition(">")[0]
