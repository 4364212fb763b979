"""A form that the browser sent by itself reaches the CRM, through a real worker, when ten minutes have passed."""

from __future__ import annotations

import re

import pytest

from leads.outbox.holds import RELEASE_AFTER_SECONDS
from tests.support.database import change, rows_of
from tests.support.processes import WorkerProcess, wait_for
from tests.support.site import running_site

pytestmark = pytest.mark.slow
FORM = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ädä@example.com",
    "countryCode": "+90",
    "phone": "\u202a+90 532 123 45 67\u202c",
    "message": "How long does it take?",
    "website": "",
    "key": "",
    "start": "",
    "visit": "",
}
PAGE = "http://localhost/dental-implants?gclid=native-click&utm_campaign=spring"
MOST_SECONDS = 15 * 60


@pytest.fixture
def press(crm_environment):
    """Sends the form as a browser does that runs no script; gives the reference of the page that it leads to."""
    with running_site(**crm_environment) as app:
        client = app.test_client()
        client.tokens = False

        def send():
            answer = client.post("/enquiry", data=FORM, headers={"Referer": PAGE})
            assert answer.status_code == 303
            return re.match(r"/thank-you\?reference=(\d{6})&details=", answer.location)[1]

        yield send


def test_it_is_in_the_crm_within_a_quarter_of_an_hour(engine, sandbox, crm_environment, valkey, press, tmp_path):
    """The ten minutes are taken off the row; all else takes its own time."""
    reference = press()
    (row,) = rows_of(engine, "SELECT zoho_status, held_reason FROM leads JOIN crm_deliveries USING (id)")
    assert row == {"zoho_status": "held", "held_reason": "no-start"}
    for table, column in (("leads", "created_at"), ("deliveries", "queued_at")):
        change(
            engine,
            f"UPDATE {table} SET {column} = {column} - make_interval(secs => :waited)",
            waited=RELEASE_AFTER_SECONDS,
        )
    press()  # Back, and pressed again: the same enquiry
    with WorkerProcess({**crm_environment, "REDIS_URL": valkey.url}, tmp_path / "log"):
        seconds = wait_for(lambda: sandbox.records() != [], 60, "the record")
    assert RELEASE_AFTER_SECONDS + seconds < MOST_SECONDS
    (record,) = sandbox.records()
    assert record["Website_Reference"] == reference
    assert (record["First_Name"], record["Last_Name"], record["Email"]) == ("Ada", "Sample", "ädä@example.com")
    assert (record["Phone"], record["Country"]) == ("+905321234567", "Türkiye")
    assert "How long does it take?" in record["Description"]
    assert "native-click" in str(record)
    assert len(rows_of(engine, "SELECT 1 FROM leads")) == 1
