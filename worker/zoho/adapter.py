"""The adapter: Zoho CRM behind the port. One module of one organisation; records are matched by our event id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from worker.crm.port import CallFailed, Capabilities, CrmRecord, CustomField, FailureClass, RowResult
from worker.zoho.check import find_missing
from worker.zoho.client import MAX_ROWS, ZohoClient
from worker.zoho.failures import Item
from worker.zoho.replies import read_record_id

MODULE = "Leads"  # clicks become records of the same module, so that sales staff have one list
CAPABILITIES = Capabilities(max_rows=MAX_ROWS, notes=True, recycle_bin=True)
# The code of the reply when the record to delete does not exist (Zoho CRM API v8: Delete Records).
_GONE = "INVALID_DATA"
_CONVERTED = {True: "true", False: "false", None: "both"}


class ZohoCrm:
    """`worker.crm.port.Crm` over a `ZohoClient`."""

    capabilities = CAPABILITIES

    def __init__(self, client: ZohoClient, event_id_field: str) -> None:
        self.client = client
        self._event_id_field = event_id_field

    @property
    def credits_left(self) -> int | None:
        """See `Crm`."""
        return self.client.credits_left

    def upsert(self, records: Sequence[Mapping[str, object]], *, call_id: str) -> list[RowResult]:
        """See `Crm`."""
        return self.client.upsert(MODULE, records, call_id=call_id)

    def find(self, event_id: UUID, *, converted: bool = False, call_id: str | None = None) -> list[str]:
        """See `Crm`."""
        only = "true" if converted else ""
        items = self.client.find(MODULE, self._event_id_field, str(event_id), converted=only, call_id=call_id)
        # A search may match loosely; only records with exactly this event id are ours.
        found = [read_record_id(item.get("id")) for item in items if self._event_id(item) == event_id]
        return [found_id for found_id in found if found_id]

    def list_records(
        self, *, ids: Sequence[str] = (), converted: bool | None = None, call_id: str | None = None
    ) -> Iterator[list[CrmRecord]]:
        """See `Crm`."""
        fields = ["id", self._event_id_field, "Created_Time"]
        pages = self.client.list_records(MODULE, fields, ids=ids, converted=_CONVERTED[converted], call_id=call_id)
        for page in pages:
            yield [record for item in page if (record := self._record(item)) is not None]

    def list_deleted(self) -> Iterator[list[str]]:
        """See `Crm`."""
        for page in self.client.list_deleted(MODULE):
            yield [found_id for item in page if (found_id := read_record_id(item.get("id"))) is not None]

    def delete(self, record_id: str, *, call_id: str) -> RowResult:
        """See `Crm`."""
        return _remove(lambda: self.client.delete(MODULE, record_id, call_id=call_id))

    def purge(self, record_id: str, *, call_id: str) -> RowResult:
        """See `Crm`."""
        return _remove(lambda: self.client.purge(record_id, call_id=call_id))

    def list_notes(self, record_id: str, *, call_id: str) -> Iterator[list[str]]:
        """See `Crm`."""
        for page in self.client.list_notes(MODULE, record_id, call_id=call_id):
            yield [str(note.get("Note_Title")) for note in page]

    def add_note(self, record_id: str, title: str, content: str, *, call_id: str) -> RowResult:
        """See `Crm`."""
        return self.client.add_note(MODULE, record_id, title, content, call_id=call_id)

    def missing_fields(self, fields: Sequence[CustomField]) -> list[str]:
        """See `Crm`."""
        return find_missing(self.client, fields, MODULE)

    def close(self) -> None:
        """See `Crm`."""
        self.client.close()

    def _event_id(self, item: Item) -> UUID | None:
        try:
            return UUID(str(item.get(self._event_id_field)))
        except ValueError:
            return None

    def _record(self, item: Item) -> CrmRecord | None:
        found_id = read_record_id(item.get("id"))
        if found_id is None:
            return None
        return CrmRecord(found_id, self._event_id(item), datetime.fromisoformat(str(item.get("Created_Time"))))


def _remove(remove: Callable[[], RowResult]) -> RowResult:
    """Run a removal. A missing record becomes GONE, whether the CRM fails the call or the record."""
    try:
        result = remove()
    except CallFailed as failure:
        if failure.code != _GONE:
            raise
        return RowResult(ok=False, code=_GONE, failure=FailureClass.GONE, http_status=failure.http_status or 0)
    return replace(result, failure=FailureClass.GONE) if result.code == _GONE and not result.ok else result
