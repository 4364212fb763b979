"""Port and adapter: the interface that the worker needs of any CRM, in neutral terms. `worker.zoho` implements it.

No HTTP, no database, no field names of a particular CRM. Records are dicts by the CRM's own field names, which
`worker.crm.fields` maps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

# Our code of a row whose record was there already: an earlier call had made it, whose reply was lost.
FOUND = "FOUND"
EVENT_ID_FIELD = "Website_Event_ID"  # the field of a record with our event id, which is the row's id
# Our code of a row that the CRM matched on another unique field than the event id: it overwrote another record.
OVERWROTE = "OVERWROTE"
EVENT_IDS_A_CALL = 10  # of `find`: a search takes no more criteria (Zoho Deluge: Search Records V8)


class FailureClass(StrEnum):
    """The class of a failure, which decides the next step."""

    REFUSED = "refused"  # permanent for this row, or this request, as it is
    TRANSIENT = "transient"  # nothing was stored; safe to send again
    UNKNOWN = "unknown"  # it may have been stored; safe to send again, because the upsert key makes it one record
    AUTH = "auth"  # the access token; retry_after_seconds is set when the token endpoint asked for a wait
    CONFIGURATION = "configuration"  # an operator must change something; no row is at fault
    RATE = "rate"  # too many calls at once
    CREDITS = "credits"  # the organisation's 24-hour allowance is spent
    DUPLICATE = "duplicate"  # a unique value belongs to another record
    GONE = "gone"  # the record to change or delete does not exist


@dataclass(eq=False)
class CallFailed(Exception):
    """A call that did not do what it was for."""

    failure: FailureClass
    code: str  # the CRM's, or ours where it sent none
    _: KW_ONLY
    http_status: int | None = None  # None when no reply was read
    detail: str = ""  # codes, names and limits; no personal data
    retry_after_seconds: float | None = None  # the wait that the CRM asked for
    field: str | None = None  # the CRM's name of the record's field at fault
    answered: bool = False  # about the record, so that it is not the CRM as a whole that fails

    def __str__(self) -> str:
        """The class, the code and the detail."""
        return f"{self.failure.value}: {self.code}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class CrmRecord:
    """A record in the CRM. event_id is None when the record is not ours; times are by the CRM's clock."""

    id: str
    event_id: UUID | None
    created_at: datetime


class Crm(Protocol):
    """Calls to the CRM; safe to share between threads.

    Every method is one call, or one call a page, within a fixed time. Each raises `CallFailed` when the call did
    not do what it says; none retries. `call_id` identifies the call in our log and in the CRM's.
    """

    def upsert(self, record: Mapping[str, object], *, call_id: str) -> str:
        """Write a record, matched on the event id; return its id."""

    def update(self, record_id: str, fields: Mapping[str, object], *, call_id: str) -> None:
        """Write some fields of a record, without starting automations; failure GONE when it does not exist."""

    def find(self, event_ids: Sequence[UUID], *, call_id: str, customers: bool = True) -> list[tuple[UUID, str]]:
        """Each record that holds one of the event ids (10 at most), with the id; customers' too, as asked.

        A search may lag behind a write by seconds.
        """

    def list_records(self, *, ids: Sequence[str] = (), call_id: str | None = None) -> Iterator[list[CrmRecord]]:
        """Yield pages of records, customers' too, newest first, or only those with these ids (100 at most)."""

    def list_deleted(self) -> Iterator[list[str]]:
        """Yield pages of ids of deleted records, in the recycle bin or deleted for good."""

    def delete(self, record_id: str, *, call_id: str) -> None:
        """Delete a record; failure GONE when it does not exist. It may go to a recycle bin first."""

    def purge(self, record_id: str, *, call_id: str) -> None:
        """Delete a record from the recycle bin for good; failure GONE when it is not there."""

    def unfit_fields(self, fields: "Sequence[CustomField]") -> list[str]:
        """Names of those of the fields that the CRM lacks, or that cannot hold our values.

        And of fields that it keeps unique though enquiries share their values: it overwrites records by them.
        """

    def close(self) -> None:
        """Close idle connections."""


@dataclass(frozen=True, slots=True)
class CustomField:
    """A custom field that our mapping needs in the CRM, or a standard one whose choices it needs."""

    name: str
    label: str
    data_type: str  # "text", "textarea", "website", "datetime", "boolean" or "picklist"
    length: int  # in characters, 0 where it does not apply
    unique: bool = False
    holds: str = ""  # what the CRM drops without the field
    choices: tuple[str, ...] = ()  # what a picklist must offer


class Level(StrEnum):
    """The level of a finding: fine, just created, worth knowing, or an obstacle to delivery."""

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
