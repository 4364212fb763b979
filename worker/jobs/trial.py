"""The test enquiry: every hour one goes from the site's public address to the CRM and to a mailbox, and is removed.

It finds what no other check sees: a proxy that refuses the form, a certificate that ran out, a mapping that fails.
"""

from __future__ import annotations

import logging
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from sqlalchemy import Engine

from leads.privacy.erasure import erase_tests
from leads.settings import Settings
from leads.trial import TURN, TrialKeys, end_trials, read_pending
from leads.turns import end_turn, fail_turn, take_turn
from worker.deadline import Deadline
from worker.http import HttpClient, NoReply, Request

log = logging.getLogger(__name__)

EVERY = timedelta(hours=1)
ARRIVAL_SECONDS = 600.0  # a message to staff that fails once is tried again after five minutes
POST_SECONDS = 20.0
# What staff see of it while it is there. Nobody has this number: in North America 555-01… is for fiction.
NAME, SURNAME, PHONE = "Test", "Enquiry, no patient", "202 555 0143"
NO_MAILBOX = "test-enquiry@example.com"


def try_enquiry(engine: Engine, settings: Settings) -> None:
    """Look after the test enquiry that is under way, or send the next one when it is due."""
    if not settings.test_enquiry_url:
        end_trials(engine)
        return
    now = datetime.now(UTC)
    pending = read_pending(engine)
    for each in pending:
        if each.arrived:
            end_turn(engine, TURN, due=each.created_at + EVERY)
        elif each.age < ARRIVAL_SECONDS:
            continue
        else:
            fail_turn(engine, TURN, "stored, but not delivered in ten minutes")
            log.error("a test enquiry was not delivered: %s", each.id)
        erase_tests(engine, [each.id])
    if pending or take_turn(engine, TURN, first=now) is None:
        return
    problem = _post(settings)
    if problem:
        fail_turn(engine, TURN, problem)
        log.error("a test enquiry was not taken by the site: %s", problem)


def _post(settings: Settings) -> str | None:
    """Send one as a browser does; return why the site did not take it."""
    body = {
        "name": NAME,
        "surname": SURNAME,
        "email": settings.test_enquiry_mail or NO_MAILBOX,
        "countryCode": "+1",
        "countryIso": "US",
        "phone": PHONE,
    }
    url = f"{settings.test_enquiry_url.rstrip('/')}/api/leads"
    headers = {"Content-Type": "application/json", "Idempotency-Key": TrialKeys(settings).make()}
    with closing(HttpClient()) as client:
        try:
            reply = client.exchange(Request("POST", url, headers, json_body=body), Deadline(POST_SECONDS))
        except NoReply as error:
            return str(error)
    return None if reply.status == HTTPStatus.CREATED else f"HTTP_{reply.status}"
