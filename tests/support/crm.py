"""A CRM in memory behind the port, for tests that decide the answer of each call and look into its middle."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from worker.crm.port import CallFailed, FailureClass

Record = Mapping[str, object]

KEY = "Website_Event_ID"


def server_error(code="HTTP_500", status=500):
    """The failure of a call that the CRM answered with an error of its own."""
    return CallFailed(FailureClass.UNKNOWN, code, http_status=status)


def refused(code, failure=FailureClass.REFUSED, field=None):
    """The CRM's answer about a record that it did not take."""
    return CallFailed(failure, code, field=field, answered=True)


class MemoryCrm:
    """Stores records by their event id; the part of `worker.crm.port.Crm` that deliveries use.

    `calls` holds the event ids of each call. `answer`, called with each record, returns the failure with which it
    is not stored, or None. `during` is called first in each call.
    """

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.calls: list[list[str]] = []
        self.answer: Callable[[Record], CallFailed | None] = lambda _: None
        self.during: Callable[[], None] = lambda: None

    def upsert(self, record: Record, *, call_id: str) -> str:
        return self._write(str(record[KEY]), record, record)

    def update(self, record_id: str, fields: Record, *, call_id: str) -> None:
        key = list(self.records)[int(record_id) - 1]
        self._write(key, fields, {**self.records[key], **fields})

    def find(self, event_ids: Sequence[UUID], *, call_id: str) -> list[tuple[UUID, str]]:
        keys = list(self.records)
        return [(found, f"{keys.index(str(found)) + 1:018}") for found in event_ids if str(found) in keys]

    def close(self) -> None:
        pass

    def _write(self, key: str, sent: Record, whole: Record) -> str:
        self.calls.append([key])
        self.during()
        if failure := self.answer(sent):
            raise failure
        self.records[key] = whole
        return f"{list(self.records).index(key) + 1:018}"
