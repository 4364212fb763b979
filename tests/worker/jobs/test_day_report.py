"""The day's report: once for all workers, when the clinic opens, with references and nothing of a person."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from leads.clinic import opening_hours
from leads.outbox.rows import Lane
from tests.support.answers import look
from tests.support.database import change
from tests.support.pipeline import record
from worker.delivery.deliver import deliver
from worker.jobs.day_report import report_day


@pytest.fixture
def environment(staff_environment):
    return staff_environment


def report(context):
    report_day(context.engine, context.settings)


def open_clinic(context, settings=None):
    """The clinic has opened since the last report."""
    opened = opening_hours(context.settings.frontend_dir).last_opening(datetime.now(UTC))
    change(context.engine, "UPDATE turns SET due_at = :at, taken_until = '-infinity'", at=opened)
    return opened


@pytest.fixture
def yesterday(context, sandbox):
    """Three enquiries since the opening before the last one: one answered in time, one late, one not."""
    report(context)
    opened = open_clinic(context)
    ids = record(context, 3)
    deliver(context.delivery, context.crm, Lane.FRESH)
    look(context)
    change(context.engine, "UPDATE leads SET created_at = :at - interval '1 hour'", at=opened)
    answered = (
        "UPDATE answers SET due_at = :at, answered_at = :at + make_interval(secs => :late) WHERE lead_id = :id"
    )
    change(context.engine, answered, at=opened, late=-60, id=ids[0])
    change(context.engine, answered, at=opened, late=60, id=ids[1])
    return ids


def test_staff_are_told_how_many_were_answered_and_which_were_not(context, box, receiver, yesterday):
    report(context)
    (mail,), (post,) = box.mails(), receiver.requests
    (left,) = post.json["data"]["untouched"]
    assert mail["subject"] == "3 enquiries, 1 answered within the hour, 1 untouched"
    assert f"\n{left}, sent " in mail["body"]
    assert "Later: 1." in mail["body"]
    assert post.json["type"] == "leads.day"
    assert post.json["text"] == f"{mail['subject']}: {left}"
    told = str(post.json) + mail["body"]
    assert not [word for word in ("Ada", "Lovelace", "7911", "@example.com") if word in told]


def test_it_is_sent_once_over_all_workers_and_again_at_the_next_opening(context, make_context, box, receiver):
    report(context)
    open_clinic(context)
    for worker in (context, make_context(), context):
        report(worker)
    assert ([mail["received"] for mail in box.mails()], len(receiver.requests)) == ([1], 1)
    open_clinic(context)
    report(context)
    assert len(receiver.requests) == 2


def test_a_new_product_reports_at_its_first_opening_and_not_at_its_start(context, box, receiver):
    report(context)
    report(context)
    assert (box.mails(), receiver.requests) == ([], [])


def test_a_mail_server_that_fails_is_tried_again_with_the_same_message(context, box, receiver, yesterday):
    receiver.status = 503
    report(context)
    assert (len(box.mails()), len(receiver.requests)) == (1, 1)
    receiver.status = 200
    report(context)
    assert len(receiver.requests) == 1
    change(context.engine, "UPDATE turns SET taken_until = '-infinity' WHERE name <> 'speed'")
    report(context)
    ids = {post.headers["webhook-id"] for post in receiver.requests}
    assert (len(box.mails()), len(receiver.requests), len(ids)) == (1, 2, 1)


def test_an_older_one_is_named_until_it_is_a_week_old(context, box, receiver, yesterday):
    change(context.engine, "UPDATE leads SET created_at = created_at - interval '3 days'")
    report(context)
    (post,) = receiver.requests
    assert post.json["text"].startswith(
        "0 enquiries, 0 answered within the hour, 0 untouched, and 1 of the days before"
    )
    assert len(post.json["data"]["untouched"]) == 1


def test_it_says_when_the_crm_could_not_be_asked(context, box, yesterday):
    change(context.engine, "UPDATE turns SET note = 'credits are kept for fresh leads' WHERE name = 'speed'")
    report(context)
    (mail,) = box.mails()
    assert "could not be asked lately (credits are kept for fresh leads)" in mail["body"]


def test_a_paused_channel_is_left_alone_until_it_is_resumed(context, box, receiver, yesterday):
    change(context.engine, "UPDATE gates SET state = 'shut' WHERE destination = 'staff-mail'")
    report(context)
    assert (box.mails(), len(receiver.requests)) == ([], 1)
    change(context.engine, "UPDATE gates SET state = 'open' WHERE destination = 'staff-mail'")
    report(context)
    assert (len(box.mails()), len(receiver.requests)) == (1, 1)


def test_without_a_target_there_is_none(make_context, box):
    worker = make_context(SPEED_TARGET_MINUTES="0")
    report(worker)
    open_clinic(worker)
    report(worker)
    assert box.mails() == []
