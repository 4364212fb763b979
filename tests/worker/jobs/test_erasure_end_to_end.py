"""One person's erasure from end to end, while their enquiry is on its way: nothing brings them back.

Everything is real but the CRM: the API takes the enquiry, the worker's code sends it to the sandbox over HTTP, an
operator's command erases. The oracle is the sandbox's ledger and the whole of our database.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.outbox.operate import Change
from leads.outbox.selection import STATES, Selection
from tests.support.database import rows_of
from tests.support.erasure import in_recycle_bin, let_the_watch_end, words_stored, work_off
from tests.support.pipeline import deliver, make_due
from tests.support.processes import wait_for
from tests.support.site import running_site

ENQUIRY = {
    "name": "Ann",
    "surname": "Example",
    "email": "ann@example.com",
    "countryCode": "+44",
    "countryIso": "GB",
    "phone": "07911 123456",
    "message": "How long does it take?",
    "sessionId": "visit-1",
    "marketingOptIn": True,
    "marketingVersion": "2026-11-21",
}
PRESS = {"Idempotency-Key": "5f0c7c1e-6f5d-4c52-9d3e-0b1f8f6f7a10"}
WORDS = ("example.com", "07911 123456", "447911123456", "How long", "visit-1", PRESS["Idempotency-Key"])


@pytest.fixture
def environment(crm_environment):
    return {**crm_environment, "ERASURE_KEY": "a key of sixteen or more"}


@pytest.fixture
def site(environment):
    with running_site(**environment) as app:
        yield app.test_client()


@pytest.mark.parametrize("lands", ["before the erasure looks", "after the erasure looked"])
def test_a_person_erased_while_their_enquiry_is_being_sent_does_not_come_back(context, sandbox, site, run, lands):
    context.access.crm.scopes()
    seconds = 300 if lands == "before the erasure looks" else 1500
    sandbox.faults(latency={"ms": seconds, "path": "upsert", "count": 1})
    accepted = site.post("/api/leads", json=ENQUIRY, headers=PRESS)
    assert accepted.status_code == 201

    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(deliver, context)
        wait_for(lambda: sandbox.summary()["in_flight"] == 1, 20, "the call in flight")
        if lands == "before the erasure looks":
            wait_for(lambda: len(sandbox.records()) == 1, 20, "the record")
        shown = run("erase", "--email", "ANN@example.com", "--by", "bob")
        assert "Erased 1 lead and 0 clicks." in shown.output
        sending.result(15)

    # The late worker's outcome, a redrive, a release and a lost lease find nothing to send.
    for change in (Change.REDRIVEN, Change.RELEASED):
        assert list(change.make(context.engine, Selection(states=STATES), by="bob")) == []
    make_due(context)
    assert deliver(context) == []

    # The browser's repeat of the same press, which may have waited long for its network, stores nothing.
    for _ in range(2):
        repeated = site.post("/api/leads", json=ENQUIRY, headers=PRESS)
        assert repeated.status_code == 409
        assert "was erased" in repeated.json["message"]
    assert rows_of(context.engine, "SELECT 1 FROM leads") == []

    # The watch outlasts the lease of the call; here time travels.
    let_the_watch_end(context)
    work_off(context)
    assert (sandbox.records(), in_recycle_bin(context, sandbox)) == ([], [])
    assert words_stored(context, *WORDS) == []

    # What stays: who erased when, how much, and hashes that only the person and the key lead to.
    (record,) = json.loads(run("erasures", "--email", "ann@example.com", "--json").output)
    assert (record["by"], record["leads"], record["records_deleted"], record["open"]) == ("bob", 1, 1, 0)
    (hashes,) = rows_of(context.engine, "SELECT email_hash, phone_hash FROM erasures")
    assert len(hashes["email_hash"]) == 32
    assert rows_of(context.engine, "SELECT length(key_hash) AS bytes FROM erased_keys") == [{"bytes": 32}]

    # Reconciling agrees, and a new enquiry of the person's own will is a new one.
    assert json.loads(run("reconcile", "--json").output)["gaps"] == []
    again = site.post("/api/leads", json=ENQUIRY, headers={"Idempotency-Key": "another-press"})
    assert again.status_code == 201
    assert deliver(context) == ["SENT"]
    assert len(sandbox.records()) == 1
