"""Rows by what people have of them, with the state of each delivery and the row's story."""

from uuid import UUID

import pytest

from leads.outbox import find
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.store import record_click
from leads.tables import Kind
from tests.support.database import change
from tests.support.samples import CLICK, LEAD, record_lead

LOW, MIDDLE, HIGH = (UUID(f"019a8c3e-7f2{digit}-7000-8000-000000000000") for digit in "123")


@pytest.fixture
def store(engine):
    """Store a lead under an id, as person number so many."""

    def store(row_id, number):
        person = {"email": f"ann{number}@example.com", "phone_e164": f"+44791112345{number}"}
        lead = record_lead(engine, {**LEAD, **person}).id
        named = "UPDATE leads SET id = :id, reference = :reference WHERE id = :lead"
        change(engine, named, id=row_id, reference=f"12345{number}", lead=lead)
        change(engine, "UPDATE deliveries SET id = :id WHERE id = :lead", id=row_id, lead=lead)
        return row_id

    return store


@pytest.mark.parametrize(
    "word",
    [
        str(MIDDLE),
        "019A8C3E7F22",
        " 019a8c3e-7f22 ",
        "123452",
        "ANN2@example.com",
        "+44 7911 123452",
        "4888000000002",
    ],
)
def test_a_lead_is_found_by_each_of_its_names_alone(engine, store, word):
    for row_id, number in ((LOW, 1), (MIDDLE, 2), (HIGH, 3)):
        store(row_id, number)
        change(
            engine, "UPDATE deliveries SET record_id = :to WHERE id = :id", to=f"488800000000{number}", id=row_id
        )
    (found,) = find_rows(engine, word)
    assert (found["kind"], found["id"], found["reference"]) == ("lead", MIDDLE, "123452")


@pytest.mark.parametrize("word", ["7KQ2Z", "4888000000009"])
def test_a_click_is_found_by_its_code_and_by_its_record(engine, word):
    click = record_click(engine, {**CLICK, "unique_code": "7KQ2Z"})
    record_click(engine, {**CLICK, "unique_code": "7KQ2Y"})
    change(engine, "UPDATE deliveries SET record_id = '4888000000009' WHERE id = :id", id=click)
    (found,) = find_rows(engine, word)
    assert (found["kind"], found["id"], found["reference"]) == ("click", click, "7KQ2Z")
    assert [row["id"] for row in find_rows(engine, str(click))] == [click]


@pytest.mark.parametrize("word", ["", "019", "12345", "nobody@example.com", "+1", "ZZ99Z", "0" * 33])
def test_nothing_else_is_found(engine, store, word):
    store(MIDDLE, 2)
    assert find_rows(engine, word) == []


def test_the_newest_come_first_of_both_kinds_and_so_many_of_each(engine, monkeypatch):
    code = "123456"
    leads = [record_lead(engine, LEAD).id for _ in range(3)]
    change(engine, "UPDATE leads SET reference = :code", code=code)
    click = record_click(engine, {**CLICK, "unique_code": code})
    for ago, row in enumerate((leads[2], click, leads[1], leads[0])):
        for kind in Kind:
            aged = f"UPDATE {kind.table.name} SET created_at = now() - make_interval(mins => :ago) WHERE id = :id"
            change(engine, aged, ago=ago, id=row)
    assert [row["id"] for row in find_rows(engine, code)] == [leads[2], click, leads[1], leads[0]]
    monkeypatch.setattr(find, "MAX_FOUND", 2)
    assert [row["id"] for row in find_rows(engine, code)] == [leads[2], click, leads[1]]


def test_each_message_is_told_with_its_state(engine):
    owed = {"zoho": 0.0, "visitor": 0.0, "staff-webhook": 0.0, "staff-mail": 0.0}
    lead = record_lead(engine, LEAD, owed=owed).id
    record_lead(engine, LEAD, owed={"details": 0.0})
    change(engine, "UPDATE deliveries SET status = 'sent' WHERE destination = 'staff-mail'")
    (found,) = find_rows(engine, str(lead))
    messages = [("staff-mail", "sent"), ("staff-webhook", "pending"), ("visitor", "pending")]
    assert [*found["messages"].items()] == messages


def test_the_story_of_a_row_is_its_own_from_the_beginning(engine):
    for row, event in ((LOW, "claimed"), (MIDDLE, "claimed"), (LOW, "retried"), (LOW, "delivered")):
        line = "INSERT INTO attempts (kind, row_id, event) VALUES ('lead', :row, :event)"
        change(engine, line, row=row, event=event)
    assert [line["event"] for line in read_timeline(engine, LOW)] == ["claimed", "retried", "delivered"]
