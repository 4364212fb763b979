"""Storing: one row per press, one receipt per row, and honesty when the database is away."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError

from leads.db import StoreUnavailable, connect_engine
from leads.outbox.store import IdempotencyConflict, KeyErased, Receipt, record_click, record_leads, submission
from tests.support.database import change, rows_of, spy_on
from tests.support.processes import wait_for
from tests.support.samples import CLICK, LEAD, record_lead

DIGEST = hashlib.sha256(b"one").digest()
OTHER = hashlib.sha256(b"two").digest()


def test_a_lead_is_stored_due_at_once_with_a_reference_from_its_time(engine):
    receipt = record_lead(engine, LEAD)
    assert not receipt.repeated
    (row,) = rows_of(engine, "SELECT *, next_retry_at <= now() AS due FROM leads JOIN crm_deliveries USING (id)")
    assert row["id"] == receipt.id
    assert (row["zoho_status"], row["retry_count"], row["due"]) == ("pending", 0, True)
    milliseconds = (row["created_at"] - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert receipt.reference == row["reference"]
    assert (milliseconds - int(receipt.reference)) % 1_000_000 < 2000  # the site's clock, a moment before the row


def lose_the_first_answer(engine, table):
    """Commit what is stored into a table, and lose the answer; returns what is true once that happened."""
    lost = []

    def lose(cursor, statement, _parameters):
        if f"INSERT INTO {table}" in statement and not lost:
            lost.append(True)
            cursor.connection.close()
            raise psycopg.OperationalError

    spy_on(engine, after=lose)
    return lost


def test_a_commit_whose_answer_was_lost_is_not_stored_twice(engine):
    lost = lose_the_first_answer(engine, "leads")
    receipt = record_lead(engine, LEAD)
    assert lost
    assert [row["id"] for row in rows_of(engine, "SELECT id FROM leads")] == [receipt.id]


def test_a_tap_without_a_session_whose_answer_was_lost_is_not_stored_twice(engine):
    lost = lose_the_first_answer(engine, "whatsapp_clicks")
    click = record_click(engine, CLICK)
    assert lost
    assert [row["id"] for row in rows_of(engine, "SELECT id FROM whatsapp_clicks")] == [click]


def test_of_two_with_one_key_in_one_moment_the_first_is_stored(engine):
    first, other = (
        submission({**LEAD, "name": name}, idempotency_key="k", request_digest=digest)
        for name, digest in (("Ann", DIGEST), ("Bob", OTHER))
    )
    receipt, conflict = record_leads(engine, [first, other])
    assert (receipt.id, type(conflict)) == (first.row["id"], IdempotencyConflict)


def test_what_cannot_be_stored_keeps_no_other_of_its_moment_out(engine):
    leads = [submission({**LEAD, "name": name}) for name in ("Ann", "A" * 1000, "Bob")]
    stored, refused, also = record_leads(engine, leads)
    assert [stored.id, also.id] == [leads[0].row["id"], leads[2].row["id"]]
    assert isinstance(refused, DataError)


def test_the_key_of_an_erased_lead_alone_stores_nothing(engine):
    change(engine, "INSERT INTO erased_keys (key_hash) VALUES (:hash)", hash=hashlib.sha256(b"gone").digest())
    with pytest.raises(KeyErased):
        record_lead(engine, LEAD, idempotency_key="gone")
    ids = [record_lead(engine, LEAD, idempotency_key=key).id for key in ("k", None)]
    assert {row["id"] for row in rows_of(engine, "SELECT id FROM leads")} == {*ids}


def test_each_destination_is_owed_after_its_wait(engine):
    record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 60.0, "visitor": 0.0})
    found = rows_of(
        engine, "SELECT destination, extract(epoch FROM next_retry_at - now())::int / 50 AS wait FROM deliveries"
    )
    assert {row["destination"]: row["wait"] for row in found} == {"zoho": 0, "staff-mail": 1, "visitor": 0}


def test_the_log_names_a_lead_by_its_id():
    lead = submission(LEAD)
    assert repr(lead) == f"Submission({lead.row['id']})"


# Its row is in the table's indexes, so that a second try waits for the first.
WAIT_FOR_LOCK = """
CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
CREATE TRIGGER wait AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION wait()
"""


@pytest.mark.slow
def test_a_lead_without_a_key_that_waits_for_a_lock_gets_its_own_receipt(engine, database_url):
    """The site gives a statement up that takes too long, and the server stores its lead all the same."""
    record_lead(engine, LEAD)
    change(engine, WAIT_FOR_LOCK)
    site = connect_engine(database_url, pool=1, name="test", answer_seconds=2.0)
    lead = submission(LEAD)
    with psycopg.connect(database_url) as lock, ThreadPoolExecutor(1) as pool:
        lock.execute("SELECT pg_advisory_xact_lock(1)")
        waiting = pool.submit(record_leads, site, [lead])
        # The statement that was given up waits for the lock, and the second try for it.
        waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        wait_for(lambda: len(rows_of(engine, waits)) == 2, 30, "the second try")
        lock.rollback()
        (receipt,) = waiting.result()
        assert isinstance(receipt, Receipt)
        assert (receipt.id, receipt.reference, receipt.repeated) == (lead.row["id"], lead.row["reference"], True)
    site.dispose()
    assert len(rows_of(engine, "SELECT id FROM leads")) == 2


def test_a_database_that_is_away_is_said_so():
    engine = connect_engine("postgresql+psycopg://u:p@127.0.0.1:1/none", pool=1, name="test")
    with pytest.raises(StoreUnavailable):
        record_lead(engine, LEAD)
    engine.dispose()


def test_a_database_that_became_read_only_is_said_so(engine):
    record_lead(engine, LEAD)
    with engine.connect() as operator:
        operator.execute(text("ALTER ROLE CURRENT_USER SET default_transaction_read_only = on"))
        try:
            with pytest.raises(StoreUnavailable):
                record_lead(engine, LEAD)
        finally:
            operator.execute(text("ALTER ROLE CURRENT_USER RESET default_transaction_read_only"))
