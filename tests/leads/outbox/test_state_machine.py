"""The outbox's real SQL under any order of events: workers that die, come late or never, and people's hands.

The CRM is a dictionary here: an upsert by event id. Everything else is the product's own statements on a real
PostgreSQL, over several connections. After every step the rules of delivery must hold.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from leads.db import connect_engine
from leads.outbox.gate import Reason, open_gate, read_gate, report_failure, report_success, shut_gate, take_probe
from leads.outbox.lease import claim, mark, sweep
from leads.outbox.rows import Lane
from leads.outbox.selection import redrive, release
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.outbox_machine import WORKERS, WorkersAtOutbox
from tests.support.properties import HealthCheck, Phase, settings, st

pytestmark = pytest.mark.slow

EXAMPLES, STEPS = 120, 50


class Outbox(WorkersAtOutbox):
    steps = 0

    @rule(worker=WORKERS)
    def tick(self, worker: int) -> None:
        before = self._rows()
        sweep(self.engines[worker])
        after = self._rows()
        lost = {key for key, old in before.items() if old["zoho_status"] == "sending" != after[key]["zoho_status"]}
        for batch in self.batches:
            mine = {row.id for row in batch.rows if before[row.id]["next_retry_at"] == row.lease} & lost
            assert not (batch.living and mine), "a tick took a row whose lease still runs"
            batch.taken_back |= mine
        for key in lost:
            old, new = before[key], after[key]
            began = (old["call_id"], key) in self.begun
            assert new["lost_leases"] == old["lost_leases"] + began, "a loss was charged before the call began"
            assert new["retry_count"] == old["retry_count"] + began
            assert new["zoho_status"] == ("retrying" if new["retry_count"] else "pending"), "an innocent row died"
        assert {key: row for key, row in after.items() if key not in lost} == {
            key: row for key, row in before.items() if key not in lost
        }, "a tick touched another row"

    @rule()
    def time_passes(self) -> None:
        change(
            self.engines[0],
            "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status IN ('pending', 'retrying')",
        )
        change(self.engines[0], "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")

    @rule()
    def people(self) -> None:
        """Somebody redrives what is dead and releases what is held; twice changes nothing."""
        dead = {key for key, row in self._rows().items() if row["zoho_status"] == "dead"}
        assert redrive(self.engines[0], by="test") == len(dead)
        assert redrive(self.engines[0], by="test") == 0
        assert release(self.engines[0], by="test") == len(self.held)
        assert {self._rows()[key]["zoho_status"] for key in dead | self.held} <= {"pending"}
        self.held.clear()

    @rule(event=st.sampled_from(["pause", "resume", "shut", "outage", "recover", "probe"]), data=st.data())
    def gate(self, event: str, data: st.DataObject) -> None:
        getattr(self, f"_{event}")(data)

    def _pause(self, _data: st.DataObject) -> None:
        shut_gate(self.engines[0], Reason.PAUSED, "test", by="ann")
        self.paused = True

    def _resume(self, _data: st.DataObject | None = None) -> None:
        open_gate(self.engines[0], by="ann")
        self.paused = False

    def _shut(self, data: st.DataObject) -> None:
        reasons = [Reason.RATE, Reason.CREDITS, Reason.AUTH, Reason.CONFIGURATION]
        shut_gate(self.engines[1], data.draw(st.sampled_from(reasons)), "test", by="worker")
        assert not read_gate(self.engines[0]).is_open

    def _outage(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 6))):
            report_failure(self.engines[1], [uuid4()], "HTTP_502")

    def _recover(self, data: st.DataObject) -> None:
        successes = data.draw(st.integers(1, 3))
        before = read_gate(self.engines[0])
        report_success(self.engines[1])
        assert read_gate(self.engines[0]).until_at == before.until_at, "no probe, and the gate moved"
        for _ in range(successes):
            report_success(self.engines[1], probed=before.reason)
        assert read_gate(self.engines[0]).is_open or self.paused or successes == 1

    def _probe(self, _data: st.DataObject) -> None:
        gate = read_gate(self.engines[0])
        taken = take_probe(self.engines[0], gate.reason)
        assert taken == gate.probe_due
        assert not (taken and (self.paused or take_probe(self.engines[1], gate.reason))), "two probes at once"

    # What must hold -----------------------------------------------------------------------------------------------

    @invariant()
    def rules_of_delivery_hold(self) -> None:
        type(self).steps += 1
        rows = self._rows()
        assert rows.keys() == self.known, "a lead was lost"
        sent = {key: row for key, row in rows.items() if row["zoho_status"] == "sent"}
        for key, row in sent.items():
            now = (row["zoho_record_id"], row["zoho_sent_at"])
            assert self.sent.setdefault(key, now) == now, "a sent row was changed"
            assert row["zoho_record_id"] == self.crm[key], "sent, and the CRM does not have it"
        assert self.sent.keys() == sent.keys(), "a sent row was un-sent"
        assert all(row["last_error"] for row in rows.values() if row["zoho_status"] == "dead"), (
            "dead without a reason"
        )
        assert {key for key, row in rows.items() if row["zoho_status"] == "held"} == self.held
        assert set(self.inserts.values()) <= {1}
        gate = read_gate(self.engines[0])
        assert (gate.reason == Reason.PAUSED) == self.paused, "a pause was lifted or made up by a worker"

    @invariant()
    def every_claim_is_written_down(self) -> None:
        noted = rows_of(
            self.engines[0],
            "SELECT row_id, count(*) AS n FROM crm_attempts WHERE event = 'claimed' GROUP BY row_id",
        )
        assert {row["row_id"]: row["n"] for row in noted} == dict(self.claims)

    def teardown(self) -> None:
        """However it went: all that is owed gets to a CRM that works."""
        self._resume()
        for batch in list(self.batches):
            change(
                self.engines[0],
                "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status = 'sending' AND id = ANY(:ids)",
                ids=[row.id for row in batch.rows],
            )
        sweep(self.engines[0])
        self.time_passes()
        for lane in Lane:
            while taken := claim(self.engines[0], lane, rows=100, lease_seconds=60, call_id=uuid4().hex):
                mark(self.engines[0], [self._upsert(row, "delivered", "end") for row in taken])
        left = {key for key, row in self._rows().items() if row["zoho_status"] not in {"sent", "dead", "held"}}
        assert not left, "rows are stuck"


@pytest.fixture
def engines(database_url: str):
    url = read_settings({"DATABASE_URL": database_url}).database_url
    engines = [connect_engine(url, pool=2, name=f"machine-{number}") for number in range(3)]
    yield engines
    for engine in engines:
        engine.dispose()


@pytest.mark.timeout(240)
def test_the_rules_of_delivery_hold_in_any_order_of_events(engines):
    Outbox.engines = engines
    Outbox.steps = 0
    run_state_machine_as_test(
        Outbox,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            phases=[Phase.generate],  # shrinking against a database would take minutes
        ),
    )
    assert Outbox.steps > 1000
