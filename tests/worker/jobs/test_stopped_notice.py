"""Staff hear of held enquiries that look real, by mail and webhook, and not more often than they can bear."""

from __future__ import annotations

import pytest

from leads.lifecycle import Status
from leads.outbox.holds import Held
from leads.outbox.release import settle_held
from leads.outbox.selection import redrive, release
from leads.outbox.store import record_lead
from tests.support.database import change
from tests.support.samples import LEAD
from worker.jobs.stopped_notice import MAX_NAMED, WHY, tell_stopped


@pytest.fixture
def environment(staff_environment):
    return staff_environment


@pytest.fixture
def hold(context):
    numbers = iter(range(100, 1000))

    def store(reason=Held.PERSON):
        number = next(numbers)
        own = {"name": f"Ada{number}", "email": f"ada{number}@example.com", "phone_e164": f"+447911000{number}"}
        receipt = record_lead(context.engine, {**LEAD, **own, "message": "Is it cancer?"}, held=reason)
        change(context.engine, "UPDATE leads SET created_at = now() - interval '1 minute', ip_address = id::text")
        settle_held(context.engine, per_hour=300)
        return receipt

    return store


@pytest.fixture
def tell(context):
    return lambda: tell_stopped(context.engine, context.settings)


def let_time_pass(context):
    change(context.engine, "UPDATE gates SET told_held_at = told_held_at - interval '16 minutes'")
    change(
        context.engine,
        "UPDATE deliveries SET judged_at = judged_at - interval '16 minutes',"
        " last_retry_at = last_retry_at - interval '16 minutes'",
    )


def test_staff_are_told_by_mail_and_webhook_which_why_and_what_to_do(hold, tell, box, receiver):
    receipt = hold()
    tell()
    (mail,), (post,) = box.mails(), receiver.requests
    assert (mail["recipient"], mail["subject"]) == (
        "sales@clinic.example",
        "1 enquiry is not in the CRM and needs a person",
    )
    assert f"{receipt.reference} (lead)" in mail["body"]
    assert WHY[Held.PERSON] in mail["body"]
    assert f"release {receipt.reference}" in mail["body"]
    assert post.json["data"] == {
        "count": 1,
        "rows": [{"kind": "lead", "reference": receipt.reference, "reason": "person"}],
    }
    assert not [word for word in ("cancer", "Ada", "7911", "example.com") if word in str(post.json)]
    assert not [word for word in ("cancer", "Ada", "7911", "ada1") if word in mail["body"]]


def test_nobody_is_told_when_nothing_looks_real(context, tell, box, receiver):
    record_lead(context.engine, {**LEAD, "message": "https://x.example"}, held=Held.PERSON)
    change(context.engine, "UPDATE leads SET created_at = now() - interval '1 minute'")
    settle_held(context.engine, per_hour=300)
    tell()
    assert (box.mails(), receiver.requests) == ([], [])


def test_further_ones_are_told_of_fifteen_minutes_later_and_old_ones_alone_never_again(
    context, hold, tell, receiver
):
    hold()
    tell()
    hold()
    tell()
    assert [post.json["data"]["count"] for post in receiver.requests] == [1]
    let_time_pass(context)
    hold()
    tell()
    assert [post.json["data"]["count"] for post in receiver.requests] == [1, 3]
    let_time_pass(context)
    tell()
    assert len(receiver.requests) == 2


def test_a_row_that_dies_later_is_told_of_until_it_is_sent_again(context, tell, box, receiver):
    """Its own notice said that it would arrive by itself."""
    receipt = record_lead(context.engine, LEAD)
    tell()
    assert receiver.requests == []
    change(
        context.engine, "UPDATE deliveries SET status = 'dead', last_retry_at = now() WHERE destination = 'zoho'"
    )
    tell()
    (mail,), (post,) = box.mails(), receiver.requests
    assert post.json["data"]["rows"] == [{"kind": "lead", "reference": receipt.reference, "reason": "dead"}]
    assert f"{WHY[Status.DEAD]}" in mail["body"]
    assert f"redrive {receipt.reference}" in mail["body"]
    assert "release" not in mail["body"]
    let_time_pass(context)
    tell()
    assert len(receiver.requests) == 1
    redrive(context.engine, by="test")
    let_time_pass(context)
    tell()
    assert len(receiver.requests) == 1


def test_what_was_released_is_not_named(context, hold, tell, receiver):
    gone = hold()
    release(context.engine, by="test", ids=[gone.id])
    kept = hold(Held.HONEYPOT)
    tell()
    (post,) = receiver.requests
    assert [row["reference"] for row in post.json["data"]["rows"]] == [kept.reference]


def test_a_channel_that_fails_is_tried_again_and_the_other_is_not(hold, tell, box, receiver):
    receiver.status = 503
    hold()
    tell()
    receiver.status = 200
    tell()
    assert len(box.mails()) == 1
    assert [post.json["data"]["count"] for post in receiver.requests] == [1, 1]
    tell()
    assert len(receiver.requests) == 2


def test_a_paused_channel_is_left_alone(context, hold, tell, box, receiver):
    change(context.engine, "UPDATE gates SET state = 'shut' WHERE destination = 'staff-mail'")
    hold()
    tell()
    assert (len(box.mails()), len(receiver.requests)) == (0, 1)


def test_a_flood_of_them_is_one_message_of_bounded_length(hold, tell, box):
    for _ in range(MAX_NAMED + 2):
        hold(Held.FORGED)
    tell()
    (mail,) = box.mails()
    assert mail["subject"] == f"{MAX_NAMED + 2} enquiries are not in the CRM and need a person"
    assert "and 2 more" in mail["body"]


def test_every_reason_has_words_for_staff():
    assert set(WHY) == {*Held, Status.DEAD}
