"""The port to the CRM: what the worker asks of any CRM, in neutral terms. `worker.zoho` is the adapter.

No HTTP, no database, no field names of a particular CRM. Records are dicts by the CRM's own field names, which
`worker.delivery.fields` maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID


class FailureClass(StrEnum):
    """What a failure says about the next step."""

    RECORD = "record"  # permanent for this row as it stands
    REQUEST = "request"  # permanent for the request: split the batch, a single row decides
    TRANSIENT = "transient"  # nothing landed; later is fine
    UNKNOWN = "unknown"  # it may have landed; later is fine because the upsert key makes it one record
    AUTH = "auth"  # the token; with retry_after_seconds the token endpoint asked for time
    CONFIGURATION = "configuration"  # somebody must change something; no row is at fault
    RATE = "rate"  # too many calls at once
    CREDITS = "credits"  # the organisation's 24-hour allowance is spent
    DUPLICATE = "duplicate"  # a unique value belongs to another record
    GONE = "gone"  # the record to delete is not there


@dataclass(frozen=True, slots=True)
class RowResult:
    """The CRM's answer about one record.

    action is "insert" or "update" where the CRM says so; record_id is set whenever ok. field is the CRM's name of
    the field at fault. detail never holds personal data: codes, field names, limits, no values.
    """

    ok: bool
    code: str
    record_id: str | None = None
    action: str | None = None
    failure: FailureClass | None = None
    field: str | None = None
    detail: str = ""
    http_status: int = 200


class CallFailed(Exception):
    """A whole call without results; retry_after_seconds is what the CRM asked for, None if it did not."""

    def __init__(
        self,
        failure: FailureClass,
        code: str,
        *,
        http_status: int | None = None,
        detail: str = "",
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{failure.value}: {code}" + (f" ({detail})" if detail else ""))
        self.failure = failure
        self.code = code
        self.http_status = http_status
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class CrmRecord:
    """A record in the CRM. event_id is None where it holds none of ours; created_at is by the CRM's clock."""

    id: str
    event_id: UUID | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this CRM can do: rows in one upsert, notes on a record, a recycle bin that keeps what was deleted."""

    max_rows: int
    notes: bool
    recycle_bin: bool


class Crm(Protocol):
    """Calls to the CRM; safe to share between threads.

    Every method is one call, or one call a page, within a fixed wall clock. Each raises `CallFailed` when the call
    has no answer about its records; none retries. `call_id` identifies the call in our log and in the CRM's.
    Records are matched by our event id, which is the row's id.
    """

    @property
    def capabilities(self) -> Capabilities:
        """What this CRM can do."""

    @property
    def credits_left(self) -> int | None:
        """API credits left by the newest reply; None while the CRM does not say."""

    def upsert(self, records: Sequence[Mapping[str, object]], *, call_id: str) -> list[RowResult]:
        """Write up to `capabilities.max_rows` records, matched on the event id; one result each, in order."""

    def find(self, event_id: UUID, *, converted: bool = False, call_id: str | None = None) -> list[str]:
        """Ids of the records that hold an event id; `converted`: of those that became a customer instead.

        A search may lag behind a write by seconds.
        """

    def list_records(
        self, *, ids: Sequence[str] = (), converted: bool | None = None, call_id: str | None = None
    ) -> Iterator[list[CrmRecord]]:
        """Yield pages of records, newest first, or only those with these ids (100 at most).

        `converted`: only those that became a customer (True), only the others (False), or both (None).
        """

    def list_deleted(self) -> Iterator[list[str]]:
        """Yield pages of ids of records that were deleted, for good or not."""

    def delete(self, record_id: str, *, call_id: str) -> RowResult:
        """Delete a record; failure GONE when it is not there. It may go to a recycle bin first."""

    def purge(self, record_id: str, *, call_id: str) -> RowResult:
        """Take a deleted record out of the recycle bin for good; failure GONE when it is not there."""

    def list_notes(self, record_id: str, *, call_id: str) -> Iterator[list[str]]:
        """Yield pages of the titles of a record's notes; none for a record that is gone."""

    def add_note(self, record_id: str, title: str, content: str, *, call_id: str) -> RowResult:
        """Add a note to a record; not idempotent, a repeat makes a second note."""

    def close(self) -> None:
        """Close idle connections."""


@dataclass(frozen=True, slots=True)
class CustomField:
    """A field that our mapping needs in the CRM.

    data_type is "text", "textarea", "datetime" or "boolean"; length is in characters, 0 where it does not apply.
    """

    name: str
    label: str
    data_type: str
    length: int
    unique: bool = False


class Level(StrEnum):
    """How a finding matters: fine, created just now, worth knowing, or in the way of delivery."""

    OK = "ok"
    CREATED = "created"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked; subject is "credentials", "token", "scopes", "mail"… or a field's name."""

    subject: str
    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found, in order."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way of delivery."""
        return all(finding.level is not Level.PROBLEM for finding in self.findings)
