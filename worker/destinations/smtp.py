"""Mail over SMTP: the acknowledgement's text, one connection for several messages, the outcome of each failure.

No database and no Celery. A message contains nothing that was entered: the address may belong to another person.
"""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit
from uuid import UUID

from leads.lifecycle import Outcome, Refused, Retry, Sent
from leads.mailbox import ascii_domain
from leads.settings import Settings

log = logging.getLogger(__name__)

SUBJECT = "We have your enquiry, reference {reference}"
TEXT = """\
Hello,

Thank you for your enquiry. We have it. {call}

Your reference: {reference}

Do you have an X-ray or photos of your teeth? Send them to us on WhatsApp. Three phone photos are enough:
front, upper teeth, lower teeth.
{photos}

Would you rather write? Message us on WhatsApp: https://wa.me/{whatsapp}

If you did not send us an enquiry, someone has mistyped their address. Please reply, and we will erase it.
"""
# What the chat behind the link for photos begins with: the words of the thank-you page's button.
PHOTOS = "My reference is {reference}. Here are my photos."
# The wait for each reply; of a message there are three. They end well within the message's lease.
REPLY_SECONDS = 15.0
QUIT_SECONDS = 2.0  # the message was accepted before
MAX_REPLY_LINES = 100
_REFUSED = 400
# Refusals of the address itself, which are final: by the enhanced status code (RFC 3463), where there is none by
# the code. Every other refusal is the server's: relaying, policy, a full mailbox.
_ENHANCED = re.compile(rb"\d\.\d{1,3}\.\d{1,3}\b")
_BAD_ADDRESS = re.compile(rb"5\.(?:1\.\d{1,3}|2\.1)\b")
_BAD_ADDRESS_CODES = {501, 550, 551, 553}


class MailServerUnavailable(Exception):
    """No message can be sent now; the message is a code without personal data."""


class _NoEncryption(smtplib.SMTPException):
    """The server offers no TLS, so the password is not sent."""


class MailConnection(smtplib.SMTP):
    """A connection that reads a limited number of lines of each reply.

    may_have_sent: something of the last message left this machine.
    """

    may_have_sent = False
    file: _Lines | None

    def send(self, s: Any) -> None:
        """Send, after noting that the message may arrive from here on: it comes as bytes, each command as text."""
        self.may_have_sent = self.may_have_sent or isinstance(s, bytes)
        super().send(s)

    def getreply(self) -> tuple[int, bytes]:
        """Read a reply."""
        if self.file is None and self.sock is not None:
            self.file = _Lines(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.left = MAX_REPLY_LINES
        return super().getreply()


class _Lines:
    """The lines of a reply. smtplib limits the length of each, but not their number."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.left = 0

    def readline(self, limit: int) -> bytes:
        """Read a line; OSError for one too many, which smtplib takes for the end of the connection."""
        self.left -= 1
        if self.left < 0:
            raise OSError("too many lines")
        return self._file.readline(limit)

    def close(self) -> None:
        self._file.close()


class _SecureConnection(smtplib.SMTP_SSL, MailConnection):
    """The same over TLS from the first byte on."""


def make_acknowledgement(settings: Settings, *, lead_id: UUID, reference: str, to: str, call: str) -> EmailMessage:
    """Compose the e-mail for one lead.

    Args:
        settings: sender, reply address and WhatsApp number.
        lead_id: becomes the Message-ID, so that mailboxes recognise a second delivery as a duplicate.
        reference: the reference that the visitor got.
        to: the visitor's address.
        call: when the clinic calls, in whole sentences.

    Raises:
        ValueError: the address cannot be used in a header, or the mail would go to another one.
    """
    message = EmailMessage()
    message["From"] = settings.mail_from
    address = _ascii_domain(to)
    message["To"] = address
    # A header decodes encoded words (RFC 2047): what is read from it must be what was stored.
    if [receiver.addr_spec for receiver in message["To"].addresses] != [address]:
        raise ValueError("the address is another one in a header")
    if settings.mail_reply_to:
        message["Reply-To"] = settings.mail_reply_to
    message["Subject"] = SUBJECT.format(reference=reference)
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{lead_id}@{parseaddr(settings.mail_from)[1].rpartition('@')[2]}>"
    # RFC 3834: no out-of-office replies.
    message["Auto-Submitted"] = "auto-replied"
    message["X-Auto-Response-Suppress"] = "All"
    whatsapp = "".join(digit for digit in settings.whatsapp_number if digit.isdigit())
    photos = f"https://wa.me/{whatsapp}?text={quote(PHOTOS.format(reference=reference))}"
    message.set_content(TEXT.format(call=call, reference=reference, whatsapp=whatsapp, photos=photos))
    return message


@contextmanager
def connect_mail(settings: Settings) -> Iterator[MailConnection]:
    """A connection ready to send, encrypted where the server supports it. Raises `MailServerUnavailable`."""
    try:
        server = _open(settings)
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        raise MailServerUnavailable(_code(error)) from error
    try:
        yield server
    finally:
        with suppress(smtplib.SMTPException, OSError):
            if server.sock is not None:
                server.sock.settimeout(QUIT_SECONDS)
            server.quit()
        server.close()


def send_mail(server: MailConnection, message: EmailMessage) -> Outcome:
    """Send one message; return the outcome."""
    server.may_have_sent = False
    try:
        refused = server.send_message(message)
    except smtplib.SMTPNotSupportedError:
        return Refused(code="SMTPUTF8", detail="the mail server does not accept such an address")
    except (smtplib.SMTPException, OSError) as error:
        return _outcome_of(error, is_sent=server.may_have_sent)
    if refused:
        # The others have the message: another try would send it to them again. `check` names the address.
        log.warning("the mail server refused %d of a message's receivers", len(refused))
        return Sent(
            code=f"SMTP_{max(code for code, _ in refused.values())}", detail="one of several receivers refused"
        )
    return Sent()


def probe_mail(settings: Settings) -> tuple[str, dict[str, int]]:
    """Log in and offer the sender and staff's addresses, without sending. Raises `MailServerUnavailable`.

    Returns:
        The server in words, and of staff's addresses those that it refuses, each with the reply's code.
    """
    url = urlsplit(settings.smtp_url)
    with connect_mail(settings) as server:
        encryption = "encrypted" if isinstance(server.sock, ssl.SSLSocket) else "not encrypted"
        sender = parseaddr(settings.mail_from)[1]
        try:
            code, _ = server.mail(sender)
            replies = {address: server.rcpt(address)[0] for address in settings.staff_mail_to}
            server.rset()
        except (smtplib.SMTPException, OSError) as error:
            raise MailServerUnavailable(_code(error)) from error
    if code >= _REFUSED:
        raise MailServerUnavailable(f"SMTP_{code}: sender {sender} refused")
    words = f"{url.hostname}, {encryption}, {'logged in' if url.username else 'no login'}, takes mail from {sender}"
    return words, {address: code for address, code in replies.items() if code >= _REFUSED}


def _open(settings: Settings) -> MailConnection:
    url, trusted = urlsplit(settings.smtp_url), ssl.create_default_context()
    server: MailConnection
    if url.scheme == "smtps":
        server = _SecureConnection(url.hostname or "", url.port or 465, timeout=REPLY_SECONDS, context=trusted)
    else:
        server = MailConnection(url.hostname or "", url.port or 587, timeout=REPLY_SECONDS)
    try:
        server.ehlo_or_helo_if_needed()
        if url.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=trusted)
            server.ehlo()
        if url.username:
            _log_in(server, unquote(url.username), unquote(url.password or ""))
    except BaseException:
        server.close()
        raise
    return server


def _log_in(server: MailConnection, user: str, password: str) -> None:
    if not isinstance(server.sock, ssl.SSLSocket):
        raise _NoEncryption
    server.login(user, password)


def _outcome_of(error: smtplib.SMTPException | OSError, *, is_sent: bool) -> Outcome:
    match error:
        case smtplib.SMTPRecipientsRefused():
            code, words = max(error.recipients.values())
            is_final = bool(_BAD_ADDRESS.match(words) if _ENHANCED.match(words) else code in _BAD_ADDRESS_CODES)
            return (Refused if is_final else Retry)(code=f"SMTP_{code}", detail="recipient refused")
        case smtplib.SMTPSenderRefused():
            # MAIL_FROM is at fault, not this lead; an operator may correct it in time.
            return Retry(code=_code(error), detail="sender refused")
        case smtplib.SMTPResponseException():
            return Retry(code=_code(error), detail="message refused")
    detail = "no answer: the message may have arrived" if is_sent else ""
    return Retry(code=_code(error), detail=detail, answered=False)


def _code(error: Exception) -> str:
    """A code for the error; never its message, which may quote an address or a password."""
    if isinstance(error, smtplib.SMTPResponseException):
        return f"SMTP_{error.smtp_code}"
    # smtplib turns one that ends the wait for a reply into an error of its own.
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return "TIMEOUT"
    return type(error).__name__.lstrip("_")


def _ascii_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{ascii_domain(domain)}"
    except ValueError:
        return address
