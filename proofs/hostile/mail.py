"""Mail aimed at somebody else: one mailbox in many spellings, and addresses that are not mailboxes."""

from __future__ import annotations

import json

from dev.visitors import Visitors
from leads.mailbox import mailbox_of
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.person import Person
from proofs.hostile.case import case
from proofs.hostile.target import Target

ONE_MAILBOX = (
    "victim@example.com",
    "victim@EXAMPLE.COM",
    "Victim@example.com",
    "victim@\uff45xample.com",
    "victim@\u24d4xample.com",
    "victim@exa\u00admple.com",
    "victim@ex\u200bample.com",
)
ONE_GMAIL = ("some.body@gmail.com", "somebody@googlemail.com", "s.omebody+x1@gmail.com", "SOMEBODY+x2@gmail.com")
REFUSED = (
    '"victim"@example.com',
    '"\\v"@example.com',
    "victim@[127.0.0.1]",
    "victim@[IPv6:::1]",
    "victim@here",
    "=?utf-8?q?vic=74im?=@gmail.com",
)


@case(
    "mail.spellings",
    "the mail budget counts all spellings of a mailbox as one, and what is not a mailbox is refused",
)
def spellings(target: Target) -> str:
    """All enquiries have a good start token: only the mailbox can count against them."""
    settings = {"SMTP_URL": "smtp://127.0.0.1:1", "MAIL_FROM": "enquiries@clinic.example"}
    site = target.site(settings)
    visitors = Visitors({"DATABASE_URL": target.database_url, **settings})
    number = 700_000
    for group in (ONE_MAILBOX, ONE_GMAIL, REFUSED):
        before = target.rows("SELECT clock_timestamp()")[0][0]
        answers = {}
        for spelling in group:
            number += 1
            body = json.dumps(Person(number).payload() | {"email": spelling}).encode()
            headers = [f"{name}: {value}".encode() for name, value in visitors.headers().items()]
            answers[spelling] = target.ask(target.post(body, *headers), port=site.process.port)[9:12]
        if group is REFUSED:
            taken = [spelling for spelling, status in answers.items() if status != b"422"]
            require(not taken, f"taken as addresses: {taken}")
            continue
        odd = {spelling: status for spelling, status in answers.items() if status not in {b"201", b"422"}}
        require(not odd, f"not answered honestly: {odd}")
        found = {mailbox_of(email) for (email,) in target.rows(outbox.ADDRESSES_SINCE, before)}
        require(len(found) == 1, f"count as {len(found)} mailboxes")
    spelled = len(ONE_MAILBOX) + len(ONE_GMAIL)
    return f"{spelled} spellings of two mailboxes are two, {len(REFUSED)} addresses of none refused"
