"""Staff hear of rows that wait for a person, by mail and webhook, and not more often than they can bear."""

import pytest

from leads.outbox.holds import Held, settle_held
from tests.support.database import change
from tests.support.samples import LEAD, record_lead
from worker.destinations.staff_notice import MAX_NAMED, WHY, tell_stopped


@pytest.fixture
def environment(staff_environment):
    return staff_environment


@pytest.fixture
def hold(context):
    """Store a lead that a person must look at."""

    def store(reason=Held.HONEYPOT, **values):
        receipt = record_lead(context.engine, {**LEAD, "message": "Is it cancer?", **values}, held=reason)
        change(context.engine, "UPDATE deliveries SET queued_at = now() - interval '11 minutes'")
        settle_held(context.engine)
        change(context.engine, "UPDATE deliveries SET judged_at = judged_at - interval '10 seconds'")
        return receipt

    return store


@pytest.fixture
def tell(context):
    return lambda: tell_stopped(context.engine, context.settings)


def test_staff_are_told_by_mail_and_webhook_which_why_and_what_to_do(hold, tell, box, receiver):
    receipt = hold()
    tell()
    (mail,), (post,) = box.mails(), receiver.requests
    assert (mail["recipient"], mail["subject"]) == (
        "sales@clinic.example",
        "1 enquiry is not in the CRM and needs a person",
    )
    assert f"{receipt.reference} (lead)" in mail["body"]
    assert WHY[Held.HONEYPOT] in mail["body"]
    assert f"release {receipt.reference}" in mail["body"]
    assert post.json["data"] == {
        "count": 1,
        "rows": [{"kind": "lead", "reference": receipt.reference, "reason": "honeypot"}],
    }
    assert not [word for word in ("cancer", "Ann", "7911", "example.com") if word in str(post.json)]
    assert not [word for word in ("cancer", "Ann", "7911", "ann@") if word in mail["body"]]


@pytest.mark.parametrize(
    ("status", "words"),
    [("retrying", "the CRM refuses it: NO_BRANCH: Branch"), ("dead", "given up: NO_BRANCH: Branch")],
)
def test_a_row_that_is_refused_or_given_up_is_told_of_with_what_helps(context, tell, box, receiver, status, words):
    receipt = record_lead(context.engine, LEAD)
    tell()
    assert receiver.requests == []
    ago = "now() - interval '9 s'"
    refused = f"last_error = 'NO_BRANCH: Branch', last_retry_at = {ago}, refused_at = {ago}"
    change(context.engine, f"UPDATE deliveries SET status = '{status}', {refused} WHERE destination = 'zoho'")
    tell()
    (mail,), (post,) = box.mails(), receiver.requests
    row = {"kind": "lead", "reference": receipt.reference, "reason": "NO_BRANCH: Branch"}
    assert post.json["data"]["rows"] == [row]
    assert words in mail["body"]
    assert f"redrive {receipt.reference}" in mail["body"]
    assert "redrive --code NO_BRANCH" in mail["body"]
    assert "release" not in mail["body"]


def test_a_channel_that_fails_is_tried_again_and_the_other_is_not(hold, tell, box, receiver):
    receiver.status = 503
    hold()
    tell()
    receiver.status = 200
    tell()
    tell()
    assert len(box.mails()) == 1
    assert [post.json["data"]["count"] for post in receiver.requests] == [1, 1]


def test_a_flood_of_them_is_one_message_of_bounded_length(hold, tell, box):
    for _ in range(MAX_NAMED + 2):
        hold(Held.FLOOD)
    tell()
    (mail,) = box.mails()
    assert mail["subject"] == f"{MAX_NAMED + 2} enquiries are not in the CRM and need a person"
    assert "and 2 more" in mail["body"]
