"""A CRM in memory behind the port, for tests that decide the answer of each call and look into its middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from worker.crm.port import CallFailed, FailureClass, RowResult

Record = Mapping[str, object]

KEY = "Website_Event_ID"


def server_error(code="HTTP_500", status=500):
    """The failure of a call that the CRM answered with an error of its own."""
    return CallFailed(FailureClass.UNKNOWN, code, http_status=status)


def duplicate(field):
    """The result of a row whose value in `field` belongs to another record."""
    return RowResult(ok=False, code="DUPLICATE_DATA", failure=FailureClass.DUPLICATE, field=field)


class MemoryCrm:
    """Stores records by their event id; the part of `worker.crm.port.Crm` that deliveries use.

    `calls` holds the event ids of each call. `answer`, called with each record, returns its result, None to store
    it, or raises `CallFailed` for the whole call, which stores nothing. `during` is called first in each call.
    """

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.calls: list[list[str]] = []
        self.answer: Callable[[Record], RowResult | None] = lambda _: None
        self.during: Callable[[], None] = lambda: None

    def upsert(self, record: Record, *, call_id: str) -> RowResult:
        self.calls.append([str(record[KEY])])
        self.during()
        return self.answer(record) or self._store(record)

    def update(self, record_id: str, fields: Record, *, call_id: str) -> RowResult:
        key = list(self.records)[int(record_id) - 1]
        self.calls.append([key])
        self.during()
        return self.answer(fields) or self._store({**self.records[key], **fields})

    def find_all(self, event_ids: Sequence[UUID], *, call_id: str) -> dict[UUID, str]:
        keys = list(self.records)
        return {found: f"{keys.index(str(found)) + 1:018}" for found in event_ids if str(found) in keys}

    def close(self) -> None:
        pass

    def _store(self, record: Record) -> RowResult:
        key = str(record[KEY])
        action = "update" if key in self.records else "insert"
        self.records[key] = record
        number = list(self.records).index(key) + 1
        return RowResult(ok=True, code="SUCCESS", record_id=f"{number:018}", action=action)
