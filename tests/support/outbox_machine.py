"""What workers do to the outbox, step by step: claim, send, mark, die. Others' hands: test_outbox_machine.py."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from leads.lifecycle import LOST_LEASES_ALONE, Deferred, Delivered, Rejected, Retryable, settle
from leads.outbox.gate import open_gate
from leads.outbox.holds import Held
from leads.outbox.lease import Mark, begin, claim, mark
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.properties import st
from tests.support.samples import LEAD

# A lease of nought is over at once: its worker is late from the start, and the next sweep takes its rows.
LEASES = st.sampled_from([60.0, 0.0, 0.0])
MAX_ROWS = 6  # few rows, so that what happens happens to the same ones
FATES = st.sampled_from(["delivered", "delivered", "lost reply", "locked", "refused", "throttled"])
WORKERS = st.integers(0, 2)


@dataclass
class Batch:
    """Rows that a worker claimed, whether its lease still runs, and what the CRM told it (None: not sent yet)."""

    rows: list[Any]
    call_id: str
    living: bool
    marks: list[Mark] | None = None
    taken_back: set[UUID] = field(default_factory=set)


def _is_held(row: Any, now: dict[str, Any]) -> bool:
    return now["zoho_status"] == "sending" and now["next_retry_at"] == row.lease


class WorkersAtOutbox(RuleBasedStateMachine):
    engines: list[Any] = []  # noqa: RUF012 - given by the test, shared by all examples

    def __init__(self) -> None:
        super().__init__()
        for table in ("leads", "deliveries", "attempts"):
            change(self.engines[0], f"DELETE FROM {table}")
        open_gate(self.engines[0], by="test")
        self.crm: dict[UUID, str] = {}
        self.inserts: Counter[UUID] = Counter()
        self.batches: list[Batch] = []
        self.sent: dict[UUID, tuple[str, Any]] = {}
        self.claims: Counter[UUID] = Counter()
        self.held: set[UUID] = set()
        self.known: set[UUID] = set()
        self.paused = False
        self.begun: set[tuple[str, UUID]] = set()

    @precondition(lambda self: len(self.known) < MAX_ROWS)
    @rule(count=st.integers(1, 3), held=st.sampled_from([False, False, False, True]))
    def record(self, count: int, held: bool) -> None:
        ids = {record_lead(self.engines[0], LEAD, held=Held.HONEYPOT if held else None).id for _ in range(count)}
        self.known |= ids
        self.held |= ids if held else set()

    @rule(worker=WORKERS, rows=st.sampled_from([1, 3, 100]), lease=LEASES, sends=st.booleans(), data=st.data())
    def claim_fresh(self, worker: int, rows: int, lease: float, sends: bool, data: st.DataObject) -> None:
        self._claim(Lane.FRESH, worker, rows, lease, data if sends else None)

    @rule(worker=WORKERS, rows=st.sampled_from([1, 3, 100]), lease=LEASES, sends=st.booleans(), data=st.data())
    def claim_retry(self, worker: int, rows: int, lease: float, sends: bool, data: st.DataObject) -> None:
        change(self.engines[0], "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status = 'retrying'")
        self._claim(Lane.RETRY, worker, rows, lease, data if sends else None)

    def _claim(self, lane: Lane, worker: int, rows: int, lease: float, sends: st.DataObject | None) -> None:
        call_id = uuid4().hex
        taken = claim(self.engines[worker], lane, rows=rows, lease_seconds=lease, call_id=call_id)
        ids = {row.id for row in taken}
        assert len(ids) == len(taken) <= rows
        assert not ids & self.sent.keys(), "a sent row was claimed"
        assert not ids & self.held, "a held row was claimed"
        for batch in self.batches:
            owned = {row.id for row in batch.rows} - batch.taken_back
            assert not (batch.living and owned & ids), "a row was claimed while another worker owns it"
        if any(row.sync.lost_leases >= LOST_LEASES_ALONE for row in taken):
            assert len(taken) == 1, "a row that lost two workers did not go alone"
        self.claims.update(ids)
        if taken:
            self.batches.append(Batch(taken, call_id, living=lease > 0))
            if sends is not None:
                self._send(self.batches[-1], sends)

    def _begin(self, batch: Batch) -> None:
        """The call begins, for the rows whose lease the batch still holds."""
        owned = {row.id for row, now in ((row, self._rows()[row.id]) for row in batch.rows) if _is_held(row, now)}
        assert {row.id for row in begin(self.engines[0], batch.rows)} == owned
        self.begun |= {(batch.call_id, row_id) for row_id in owned}

    @precondition(lambda self: any(batch.marks is None for batch in self.batches))
    @rule(data=st.data())
    def send(self, data: st.DataObject) -> None:
        batch = data.draw(st.sampled_from([batch for batch in self.batches if batch.marks is None]))
        self._send(batch, data)

    def _send(self, batch: Batch, data: st.DataObject) -> None:
        self._begin(batch)
        batch.marks = [self._upsert(row, data.draw(FATES), batch.call_id) for row in batch.rows]

    def _upsert(self, row: Any, fate: str, call_id: str) -> Mark:
        if fate in {"delivered", "lost reply"}:
            self.inserts[row.id] += row.id not in self.crm
            self.crm.setdefault(row.id, str(len(self.crm) + 1))
        outcome = {
            "delivered": Delivered(self.crm.get(row.id, "")),
            "lost reply": Retryable("TIMEOUT"),
            "locked": Retryable("RECORD_LOCKED"),
            "refused": Rejected("INVALID_DATA", "Email"),
            "throttled": Deferred("TOO_MANY_REQUESTS"),
        }[fate]
        return Mark(row, outcome, call_id)

    @precondition(lambda self: any(batch.marks for batch in self.batches))
    @rule(data=st.data(), worker=WORKERS, again=st.booleans())
    def mark(self, data: st.DataObject, worker: int, again: bool) -> None:
        batch = data.draw(st.sampled_from([batch for batch in self.batches if batch.marks]))
        before = self._rows()
        fenced = mark(self.engines[worker], batch.marks or []).fenced
        after = self._rows()
        self._check_mark(batch, before, after, len(batch.rows) - fenced)
        if again:
            late = mark(self.engines[worker], batch.marks or [])
            assert late.fenced == fenced, "writing the same marks again told another story"
            assert self._rows() == after
        self.batches.remove(batch)

    def _check_mark(self, batch: Batch, before: dict[Any, Any], after: dict[Any, Any], marked: int) -> None:
        changed = 0
        for item in batch.marks or []:
            old, new = before[item.row.id], after[item.row.id]
            ours = _is_held(item.row, old)
            if isinstance(item.outcome, Delivered):
                assert new["zoho_status"] == "sent", "a success was forgotten"
                changed += old["zoho_status"] != "sent"
            elif ours:
                assert new["zoho_status"] == settle(item.row.sync, item.outcome, 0.0).status
                changed += 1
            else:
                assert new == old, "a late failure was not fenced"
        assert marked == changed

    @precondition(lambda self: self.batches)
    @rule(data=st.data())
    def crash(self, data: st.DataObject) -> None:
        """The worker dies; whatever the CRM stored stays, and its lease runs on to its end."""
        batch = data.draw(st.sampled_from(self.batches))
        self.batches.remove(batch)
        ids = [row.id for row in batch.rows]
        leases = {row.id: row.lease for row in batch.rows}
        for row_id, row in self._rows().items():
            if row_id in ids and row["zoho_status"] == "sending" and row["next_retry_at"] == leases[row_id]:
                change(self.engines[0], "UPDATE crm_deliveries SET next_retry_at = now() WHERE id = :id", id=row_id)

    def _rows(self) -> dict[UUID, dict[str, Any]]:
        query = (
            "SELECT id, zoho_status, retry_count, lost_leases, next_retry_at, last_retry_at, last_error,"
            " zoho_record_id, zoho_sent_at, (SELECT call_id FROM crm_attempts WHERE row_id = crm_deliveries.id"
            " AND event = 'claimed' ORDER BY crm_attempts.id DESC LIMIT 1) AS call_id FROM crm_deliveries"
        )
        return {row["id"]: row for row in rows_of(self.engines[0], query)}
