"""Mail over TLS with a login, against the sandbox's mail server: a real handshake and a real refusal."""

import json
import shutil
from contextlib import contextmanager

import pytest

from leads.lifecycle import Refused, Retry, Sent
from leads.settings import read_settings
from tests.support.messages import answer, last_code, states
from tests.support.pipeline import deliver
from tests.support.samples import ACKNOWLEDGED, LEAD, record_lead
from tools.sandbox.process import SandboxProcess
from tools.servers.state_files import free_port
from worker.destinations import mail
from worker.destinations.mail import make_acknowledgement, send_mail

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl"),
]

LOGIN = "clinic:p@ss/word"
IN_URL = "clinic:p%40ss%2Fword"


@pytest.fixture
def receiver(tmp_path, certificate):
    """Start a receiver with these options; gives the process and its port."""

    @contextmanager
    def start(*options, tls=True):
        port = free_port()
        files = ("--mail-certificate", certificate[0], "--mail-key", certificate[1]) if tls else ()
        with SandboxProcess.start(tmp_path / "mail", mail_port=port, more=(*files, *options)) as process:
            yield process, port

    return start


@pytest.fixture
def settle(make_context, engine, certificate, monkeypatch):
    """Owe one mail, try it once with this server and trust, and give what became of it."""

    def settle(url, *, trusting=True):
        if trusting:
            monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
        record_lead(engine, LEAD, owed={"visitor": 0.0})
        context = make_context(SMTP_URL=url, MAIL_FROM="enquiries@clinic.example")
        deliver(context, "visitor")
        (status,) = states(engine, "visitor")
        return status, last_code(engine, "visitor")

    return settle


@pytest.mark.parametrize(("scheme", "options"), [("smtp", ()), ("smtps", ("--mail-tls",))])
def test_a_mail_goes_encrypted_and_logged_in(receiver, settle, scheme, options):
    with receiver("--mail-login", LOGIN, *options) as (box, port):
        assert settle(f"{scheme}://{IN_URL}@localhost:{port}") == ("sent", "SENT")
        (mail,) = box.mails()
        assert "Received: with ESMTPSA" in mail["headers"]


@pytest.mark.parametrize(
    ("address", "has", "trusting", "code"),
    [
        (f"{IN_URL}@localhost", {}, False, "SSLCertVerificationError"),
        ("127.0.0.1", {}, True, "SSLCertVerificationError"),  # a certificate of another name
        ("clinic:wrong@localhost", {}, True, "SMTP_535"),
        (f"{IN_URL}@localhost", {"tls": False}, True, "NoEncryption"),
    ],
    ids=["a certificate nobody vouches for", "of another name", "a wrong password", "no encryption"],
)
def test_a_server_that_is_not_the_clinics_gets_nothing(receiver, settle, address, has, trusting, code):
    with receiver(*(("--mail-login", LOGIN) if not has else ()), **has) as (box, port):
        assert settle(f"smtp://{address}:{port}", trusting=trusting) == ("retrying", code)
        assert box.mails() == []


def test_check_tells_whether_the_mail_server_can_be_used(receiver, run, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0])

    def check(**more):
        shown = run("check", "--json", env=more)
        report = json.loads(shown.output)
        (mail,) = [found for found in report if found["subject"] == "mail"]
        return shown.exit_code, mail["level"], mail["text"]

    assert check()[:2] == (0, "note")
    assert check(MAIL_FROM="enquiries@clinic.example")[:2] == (1, "problem")  # but no server
    with receiver("--mail-login", LOGIN) as (box, port):
        good = {"MAIL_FROM": "enquiries@clinic.example", "SMTP_URL": f"smtp://{IN_URL}@localhost:{port}"}
        words = "localhost, encrypted, logged in, takes mail from enquiries@clinic.example"
        assert check(**good) == (0, "ok", words)
        assert check(**good | {"SMTP_URL": f"smtp://clinic:no@localhost:{port}"}) == (
            1,
            "problem",
            "the mail server cannot be used: SMTP_535",
        )
        assert box.mails() == []
    code, mark, text = check(**good)
    assert (code, mark) == (1, "problem")
    assert "ConnectionRefusedError" in text


def test_check_names_each_address_of_staff_that_the_server_refuses(run):
    port = free_port()
    answer(port, "220 here", "250 here", "250 fine", "250 fine", "550 nobody", "250 reset", "221 bye")
    mail = {"MAIL_FROM": "enquiries@clinic.example", "SMTP_URL": f"smtp://127.0.0.1:{port}"}
    shown = run("check", "--json", env=mail | {"STAFF_MAIL_TO": "desk@clinic.example, left@clinic.example"})
    found = [one for one in json.loads(shown.output) if one["subject"] in {"mail", "staff"}]
    assert [(one["level"], one["text"]) for one in found] == [
        ("ok", "127.0.0.1, not encrypted, no login, takes mail from enquiries@clinic.example"),
        ("problem", "the mail server refuses left@clinic.example (SMTP_550): correct STAFF_MAIL_TO"),
    ]


@pytest.fixture
def talk(crm_environment, monkeypatch):
    """Send a mail to a server that gives these replies, and then none; gives the outcome."""
    monkeypatch.setattr(mail, "REPLY_SECONDS", 0.5)

    def talk(*replies, to="ann@example.com"):
        server = answer(port := free_port(), *replies)
        environment = {"MAIL_FROM": "enquiries@clinic.example", "SMTP_URL": f"smtp://127.0.0.1:{port}"}
        settings = read_settings({**crm_environment, **environment})
        outcome = send_mail(settings, make_acknowledgement(settings, {**ACKNOWLEDGED, "email": to}, call=""))
        server.join(5)
        return outcome

    return talk


GREETING = ("220 here", "250 here")


def test_a_server_without_international_addresses_gets_ascii_domains_and_no_such_names(talk):
    outcome = talk(*GREETING, "221 bye", to="ädä@example.com")
    assert isinstance(outcome, Refused)
    assert outcome.code == "SMTPUTF8"
    taken = (*GREETING, "250 fine", "250 fine", "354 go on", "250 taken", "221 bye")
    assert talk(*taken, to="ada@müller.de") == Sent()


@pytest.mark.parametrize(
    "replies",
    [GREETING[:1], GREETING, (*GREETING, "250 fine", "250 fine", "354 go on")],
    ids=["greeting alone", "no envelope", "no answer to the message"],
)
def test_a_server_that_falls_silent_is_given_up(talk, replies):
    assert talk(*replies) == Retry(code="TIMEOUT", answered=False)


def test_no_mail_is_made_whose_header_would_name_another_mailbox(crm_environment):
    settings = read_settings({**crm_environment, "MAIL_FROM": "enquiries@clinic.example"})
    for address in ("=?utf-8?q?vic=74im?=@gmail.com", "=?us-ascii?q?a=40evil.example=3e=2c=3ca?=@example.com"):
        with pytest.raises(ValueError, match="another one"):
            make_acknowledgement(settings, {**ACKNOWLEDGED, "email": address}, call="")
