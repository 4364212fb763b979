"""Mail over SMTP: a message and its headers, the visitor's acknowledgement, and the outcome of each failure.

The address of an acknowledgement may be another person's: of what was typed it has the question alone, as plain
text without links, and it has a budget.
"""

import logging
import re
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from sqlalchemy import Engine

from leads.addresses import ascii_domain
from leads.call_times import call_of, promise
from leads.clinic import read_clinic
from leads.lifecycle import Outcome, Refused, Retry, Sent, Skipped
from leads.outbox.budgets import is_beyond
from leads.outbox.claim import Claimed
from leads.settings import Settings

log = logging.getLogger(__name__)

SUBJECT = "We have your enquiry, reference {reference}"
TEXT = """\
Hello,

Thank you. We have received your enquiry. {call}

Your reference: {reference}{about}{question}

Do you have an X-ray or photos of your teeth? Send them to us on WhatsApp. Three phone photos are enough:
front, upper teeth, lower teeth.
{photos}

Would you rather write? Message us on WhatsApp: https://wa.me/{whatsapp}

If you did not send us an enquiry, someone has mistyped their address. Please reply, and we will erase it.
"""
# What the chat behind the link for photos begins with: the words of the thank-you page's button.
PHOTOS = "My reference is {reference}. Here are my photos."
# Where a zero-width space keeps mail programs from making a link of what a stranger may have typed.
_IN_LINK = re.compile(r"(?<=\S)([.:/@])(?=\S)")
# The wait for each reply; of a message there are three. They end well within the message's lease.
REPLY_SECONDS = 15.0
_REFUSED = 400
# Refusals of the address itself, which are final: by the enhanced status code (RFC 3463), where there is none by
# the code. Every other refusal is the server's: relaying, policy, a full mailbox.
_ENHANCED = re.compile(rb"\d\.\d{1,3}\.\d{1,3}\b")
_BAD_ADDRESS = re.compile(rb"5\.(?:1\.\d{1,3}|2\.1)\b")
_BAD_ADDRESS_CODES = {501, 550, 551, 553}
# What smtplib raises when a server is away, refuses, or has an impossible name.
MAIL_ERRORS = (smtplib.SMTPException, OSError, UnicodeError)


class _NoEncryption(smtplib.SMTPException):
    """The server offers no TLS, so the password is not sent."""


@cache
def signature(folder: Path) -> str:
    """The clinic's name, address and site, as the build in `folder` has them, for the end of every mail."""
    lines = read_clinic(folder).signature
    return "\n".join(["-- ", *lines]) if lines else ""


def compose_mail(  # noqa: PLR0913 - keywords, the parts of a mail
    settings: Settings, name: str, *, to: str, subject: str, text: str, html: str = ""
) -> EmailMessage:
    """Compose a mail, signed by the clinic. `name` becomes the Message-ID, by which a mailbox knows a repeat."""
    signed = signature(settings.frontend_dir)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.mail_from, to, subject
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{name}@{parseaddr(settings.mail_from)[1].rpartition('@')[2]}>"
    # RFC 3834: no out-of-office replies.
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(f"{text}\n{signed}\n" if signed else text)
    if html:
        message.add_alternative(f"{html}<p>{escape(signed[4:]).replace(chr(10), '<br>')}</p>", subtype="html")
    return message


def make_acknowledgement(settings: Settings, lead: Mapping[str, Any], call: str) -> EmailMessage:
    """Compose the e-mail to a visitor: what was asked and chosen. `call`: when the clinic calls, in sentences.

    `ValueError`: the address cannot be used in a header, or the mail would go to another one.
    """
    reference, question = lead["reference"], ""
    whatsapp = "".join(digit for digit in settings.whatsapp_number if digit.isdigit())
    photos = f"https://wa.me/{whatsapp}?text={quote(PHOTOS.format(reference=reference))}"
    chosen = {"You asked about": lead["interest"], "You already have": lead["already_has"]}
    about = "".join(f"\n{label}: {words}" for label, words in chosen.items() if words)
    if lead["message"]:
        lines = _IN_LINK.sub("\\1\N{ZERO WIDTH SPACE}", lead["message"]).splitlines()
        question = "\n\nYou wrote:\n" + "\n".join(f"> {line}".rstrip() for line in lines)
    words = {"call": call, "reference": reference, "about": about, "question": question}
    text = TEXT.format(**words, whatsapp=whatsapp, photos=photos)
    address, subject = _ascii_domain(lead["email"]), SUBJECT.format(reference=reference)
    message = compose_mail(settings, str(lead["id"]), to=address, subject=subject, text=text)
    # A header decodes encoded words (RFC 2047): what is read from it must be what was stored.
    if [receiver.addr_spec for receiver in message["To"].addresses] != [address]:
        raise ValueError("the address is another one in a header")
    if settings.mail_reply_to:
        message["Reply-To"] = settings.mail_reply_to
    return message


def acknowledge(settings: Settings, engine: Engine, row: Claimed) -> Outcome:
    """Send the e-mail. One that is beyond its mailbox's budget, or cannot be addressed, is never sent."""
    values = row.values
    if is_beyond(engine, row.id, values["email"]):
        return Skipped(code="LIMIT", detail="too many e-mails for one address within a day")
    call = promise(
        call_of(values),
        accepted_at=values["created_at"],
        now=datetime.now(UTC),
        timezone=values["timezone"],
        phone=settings.clinic_phone,
    )
    try:
        message = make_acknowledgement(settings, values, call)
    except ValueError:
        return Skipped(code="ADDRESS", detail="cannot be used in a header")
    outcome = send_mail(settings, message)
    # The address is another person's, or nobody's.
    return Skipped(code=outcome.code, detail=outcome.detail) if isinstance(outcome, Refused) else outcome


def send_mail(settings: Settings, message: EmailMessage) -> Outcome:
    """Send one message over a connection of its own; return the outcome."""
    try:
        server = _open(settings)
    except MAIL_ERRORS as error:
        return Retry(code=code_of(error), answered=False)
    try:
        refused = server.send_message(message)
    except smtplib.SMTPNotSupportedError:
        return Refused(code="SMTPUTF8", detail="the mail server does not accept such an address")
    except MAIL_ERRORS as error:
        return _outcome_of(error)
    finally:
        _quit(server)
    if not refused:
        return Sent()
    # The others have the message: another try would send it to them again. `check` names the address.
    log.warning("the mail server refused %d of a message's receivers", len(refused))
    code = max(code for code, _ in refused.values())
    return Sent(code=f"SMTP_{code}", detail="one of several receivers refused")


def probe_mail(settings: Settings) -> tuple[str, dict[str, int]]:
    """Log in and offer the sender and staff's addresses, without sending. Raises one of `MAIL_ERRORS`.

    Returns the server in words, and of staff's addresses those that it refuses, each with the reply's code.
    """
    url, sender = urlsplit(settings.smtp_url), parseaddr(settings.mail_from)[1]
    server = _open(settings)
    try:
        server.ehlo_or_helo_if_needed()
        encryption = "encrypted" if isinstance(server.sock, ssl.SSLSocket) else "not encrypted"
        code, words = server.mail(sender)
        if code >= _REFUSED:
            raise smtplib.SMTPSenderRefused(code, words, sender)
        replies = {address: server.rcpt(address)[0] for address in settings.staff_mail_to}
    finally:
        _quit(server)
    login = "logged in" if url.username else "no login"
    refused = {address: code for address, code in replies.items() if code >= _REFUSED}
    return f"{url.hostname}, {encryption}, {login}, takes mail from {sender}", refused


def _open(settings: Settings) -> smtplib.SMTP:
    """A connection ready to send, encrypted where the server supports it."""
    url, trusted = urlsplit(settings.smtp_url), ssl.create_default_context()
    host = url.hostname or ""
    server: smtplib.SMTP
    if url.scheme == "smtps":
        server = smtplib.SMTP_SSL(host, url.port or 465, timeout=REPLY_SECONDS, context=trusted)
    else:
        server = smtplib.SMTP(host, url.port or 587, timeout=REPLY_SECONDS)
    try:
        server.ehlo_or_helo_if_needed()
        if url.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=trusted)
        if url.username:
            _log_in(server, unquote(url.username), unquote(url.password or ""))
    except BaseException:
        server.close()
        raise
    return server


def _log_in(server: smtplib.SMTP, user: str, password: str) -> None:
    if not isinstance(server.sock, ssl.SSLSocket):
        raise _NoEncryption
    server.login(user, password)


def _quit(server: smtplib.SMTP) -> None:
    with suppress(*MAIL_ERRORS):  # a message was accepted or refused before
        server.quit()
    server.close()


def _outcome_of(error: Exception) -> Outcome:
    match error:
        case smtplib.SMTPRecipientsRefused():
            code, words = max(error.recipients.values())
            is_final = bool(_BAD_ADDRESS.match(words) if _ENHANCED.match(words) else code in _BAD_ADDRESS_CODES)
            return (Refused if is_final else Retry)(code=f"SMTP_{code}", detail="recipient refused")
        case smtplib.SMTPSenderRefused():
            # MAIL_FROM is at fault, not this lead; an operator may correct it in time.
            return Retry(code=code_of(error), detail="sender refused")
        case smtplib.SMTPResponseException():
            return Retry(code=code_of(error), detail="message refused")
    return Retry(code=code_of(error), answered=False)


def code_of(error: Exception) -> str:
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
