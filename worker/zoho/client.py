"""The Zoho CRM API client: Zoho CRM behind the port. One module of one organisation, matched by our event id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from itertools import count
from typing import NamedTuple
from uuid import UUID, uuid4

from worker.crm.port import (
    EVENT_IDS_A_CALL,
    CallFailed,
    CrmRecord,
    CustomField,
    FailureClass,
    RowResult,
)
from worker.http import Deadline, Reply
from worker.zoho.api import Api, ApiCall
from worker.zoho.config import ZohoConfig
from worker.zoho.failures import Item, failure_of, items_of, safe_name
from worker.zoho.replies import read_record_id, read_result, settle_by_look_up
from worker.zoho.tokens import TokenStore

MODULE = "Leads"  # clicks become records of the same module, so that sales staff have one list
PAGE_ROWS = 200  # the maximum (Zoho CRM API v8: Get Records)
# The code of the reply when the record to change or delete does not exist (Zoho CRM API v8: Delete Records).
_GONE = "INVALID_DATA"
# Standard fields by which an upsert overwrites another enquiry's record once they are marked unique: it looks up
# every user-defined unique field, after those that it names (Zoho CRM API v7: Upsert Records).
OVERWRITING = ("Phone",)
# Other field types that can hold the values of a type.
_COMPATIBLE = {
    "text": {"textarea", "website"},
    "website": {"text", "textarea"},
    "picklist": {"text"},
}
# An organisation either adds an unlisted value (Zoho CRM API v7: Insert Records) or refuses it.
_NO_CHOICE = (
    "Zoho adds it with the first lead, or leads arrive with it in Description; add it, or change our setting"
)


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field as the CRM describes it; length is in characters, 0 where the CRM reports none."""

    api_name: str
    data_type: str
    length: int
    unique: bool
    read_only: bool = False
    choices: frozenset[str] = frozenset()

    def mismatch(self, spec: CustomField) -> str:
        """Why this field cannot hold the values of `spec`; "" when it can."""
        return next(self._problems(spec), "")

    def _problems(self, spec: CustomField) -> Iterator[str]:
        if self.data_type != spec.data_type and self.data_type not in _COMPATIBLE.get(spec.data_type, ()):
            yield f"is of type {self.data_type}, needed: {spec.data_type}"
        if self.read_only:
            lost = "a lost reply would then make a second record" if spec.unique else f"the CRM drops {spec.holds}"
            yield f"is read-only for the API's user; {lost}: let its profile and layout write it"
        lacking = sorted({*spec.choices} - self.choices) if self.choices else []
        if lacking:
            yield f"has no choice {' or '.join(lacking)}: {_NO_CHOICE}"
        if spec.unique and not self.unique:
            yield "allows duplicate values; a lost reply would then make a second record"
        if self.unique and not spec.unique:
            yield "does not allow duplicate values: enquiries that share one overwrite each other; allow them"
        if self.length < spec.length:
            yield f"holds {self.length} characters, needed: {spec.length}"


class Organisation(NamedTuple):
    """The organisation that the CRM belongs to."""

    id: str
    name: str


class ZohoClient:
    """`worker.crm.port.Crm`; safe to share between threads.

    Every method ends within config.call_seconds, tokens and resends included, and raises CallFailed when the
    call has no answer about its records. None retries, except for one resend after a refused token.
    """

    def __init__(self, config: ZohoConfig, store: TokenStore) -> None:
        self.config = config
        self._api = Api(config, store)

    def upsert(self, record: Mapping[str, object], *, call_id: str) -> RowResult:
        """See `Crm`."""
        event_id, deadline = str(record[self.config.event_id_field]), self._deadline()
        call = ApiCall("POST", f"/{MODULE}/upsert", call_id, json_body=self._upsert_body(record))
        result = read_result(self._api.call(call, deadline), self.config.event_id_field)

        def look_up() -> str | None:
            return next((record_id for _, record_id in self._search([event_id], f"{call_id}-d", deadline)), None)

        return settle_by_look_up(result, self.config.event_id_field, look_up)

    def update(self, record_id: str, fields: Mapping[str, object], *, call_id: str) -> RowResult:
        """See `Crm`."""
        body = {"data": [{**fields, "id": _checked(record_id)}], "trigger": []}
        result = self._read(ApiCall("PUT", f"/{MODULE}", call_id, json_body=body), "data")
        is_gone = result.code == _GONE and result.field == "id"
        return replace(result, failure=FailureClass.GONE) if is_gone else result

    def find(self, event_id: UUID, *, call_id: str) -> list[str]:
        """See `Crm`."""
        return [record_id for _, record_id in self._search([str(event_id)], call_id, self._deadline())]

    def find_all(self, event_ids: Sequence[UUID], *, call_id: str) -> dict[UUID, str]:
        """See `Crm`."""
        return dict(self._search([*map(str, event_ids)], call_id, self._deadline(), converted="both"))

    def list_records(self, *, ids: Sequence[str] = (), call_id: str | None = None) -> Iterator[list[CrmRecord]]:
        """See `Crm`. Unapproved records are included."""
        # Mandatory (Zoho CRM API v8: Get Records).
        params = {
            "fields": f"id,{self.config.event_id_field},Created_Time",
            "converted": "both",
            "approved": "both",
        }
        params |= {"ids": ",".join(map(_checked, ids))} if ids else {"sort_by": "id", "sort_order": "desc"}
        for page in self._pages(f"/{MODULE}", params, call_id):
            yield [record for item in page if (record := self._record(item)) is not None]

    def list_deleted(self) -> Iterator[list[str]]:
        """See `Crm`."""
        for page in self._pages(f"/{MODULE}/deleted", {"type": "all"}, None):
            yield [found_id for item in page if (found_id := read_record_id(item.get("id"))) is not None]

    def delete(self, record_id: str, *, call_id: str) -> RowResult:
        """See `Crm`. The record stays in the recycle bin for 60 days."""
        return self._remove(ApiCall("DELETE", f"/{MODULE}/{_checked(record_id)}", call_id), "data")

    def purge(self, record_id: str, *, call_id: str) -> RowResult:
        """See `Crm` (github.com/zoho/crm-oas: v8.0/recycle_bin.json)."""
        call = ApiCall("DELETE", f"/settings/recycle_bin/{_checked(record_id)}", call_id)
        return self._remove(call, "recycle_bin")

    def fields(self) -> list[FieldInfo]:
        """List every field that the API user's profile may see."""
        call = ApiCall("GET", "/settings/fields", _new_id(), {"module": MODULE})
        return [_field_info(item) for item in _read_items(self._api.call(call, self._deadline()), "fields")]

    def unfit_fields(self, fields: Sequence[CustomField]) -> list[str]:
        """See `Crm`."""
        found = {field.api_name: field for field in self.fields()}
        unfit = [spec.name for spec in fields if spec.name not in found or found[spec.name].mismatch(spec)]
        unfit += [name for name in OVERWRITING if name in found and found[name].unique]
        return unfit

    def create_field(self, spec: CustomField) -> RowResult:
        """Add a custom field; the CRM derives its API name from the label (Zoho CRM API v8: Create Fields)."""
        field: dict[str, object] = {"field_label": spec.label, "data_type": spec.data_type}
        if spec.data_type == "text":
            field["length"] = spec.length
        if spec.data_type == "textarea":
            field["textarea"] = {"type": "small"}
        if spec.unique:
            field["unique"] = {"casesensitive": "false"}
        body = {"fields": [field]}
        call = ApiCall("POST", "/settings/fields", _new_id(), {"module": MODULE}, body)
        return self._read(call, "fields")

    def probe(self) -> tuple[str, ...]:
        """Ensure that there is a valid token; return its scopes, empty where the store does not keep them."""
        return self._api.token(self._deadline()).scopes

    def renew_token(self) -> bool:
        """Mint a token now, to try the refresh token itself; False when no mint is allowed yet."""
        return self._api.renew_token(self._deadline())

    def organisation(self) -> Organisation:
        """Read the organisation's id and name; needs the scope ZohoCRM.org.READ."""
        reply = self._api.call(ApiCall("GET", "/org", _new_id()), self._deadline())
        items = _read_items(reply, "org")
        if not items:
            raise failure_of(reply)
        return Organisation(str(items[0].get("id", "")), str(items[0].get("company_name", "")))

    def close(self) -> None:
        """Close idle connections."""
        self._api.close()

    def _pages(self, path: str, params: Mapping[str, str], call_id: str | None) -> Iterator[list[Item]]:
        """Yield a list page by page, each within config.call_seconds.

        Follows the CRM's page token where there is one: page numbers end at 2,000 rows (Zoho CRM API v8: Get
        Records), and rows that arrive meanwhile shift them.
        """
        first_id, position = call_id or _new_id(), dict[str, str]()
        for page in count(1):
            page_params = {**params, "per_page": str(PAGE_ROWS), **position}
            request_id = first_id if page == 1 else f"{first_id}-p{page}"
            reply = self._api.call(ApiCall("GET", path, request_id, page_params), self._deadline())
            if reply.status == HTTPStatus.NO_CONTENT:
                return
            yield _read_items(reply, "data")
            position = _next_position(reply, page + 1, position)
            if not position:
                return

    def _deadline(self) -> Deadline:
        return Deadline(self.config.call_seconds)

    def _read(self, call: ApiCall, key: str) -> RowResult:
        return read_result(self._api.call(call, self._deadline()), self.config.event_id_field, key)

    def _remove(self, call: ApiCall, key: str) -> RowResult:
        """A missing record becomes GONE, whether the CRM fails the call or the record."""
        try:
            result = self._read(call, key)
        except CallFailed as failure:
            if failure.code != _GONE:
                raise
            return RowResult(ok=False, code=_GONE, failure=FailureClass.GONE, http_status=failure.http_status or 0)
        return replace(result, failure=FailureClass.GONE) if result.code == _GONE and not result.ok else result

    def _event_id(self, item: Item) -> UUID | None:
        try:
            return UUID(str(item.get(self.config.event_id_field)))
        except ValueError:
            return None

    def _record(self, item: Item) -> CrmRecord | None:
        found_id = read_record_id(item.get("id"))
        if found_id is None:
            return None
        created = datetime.fromisoformat(str(item.get("Created_Time")))
        return CrmRecord(found_id, self._event_id(item), created)

    def _upsert_body(self, record: Mapping[str, object]) -> dict[str, object]:
        body: dict[str, object] = {
            "data": [dict(record)],
            "duplicate_check_fields": [self.config.event_id_field],
        }
        if self.config.lead_assignment_rule is not None:
            body["lar_id"] = self.config.lead_assignment_rule
        return body

    def _search(
        self, event_ids: Sequence[str], call_id: str, deadline: Deadline, *, converted: str = "false"
    ) -> list[tuple[UUID, str]]:
        """Return each record that holds one of the event ids, with the id; also those that wait for approval."""
        found = []
        # A search takes no more criteria (Zoho Deluge: Search Records V8).
        for start in range(0, len(event_ids), EVENT_IDS_A_CALL):
            wanted = event_ids[start : start + EVENT_IDS_A_CALL]
            equal = "or".join(f"({self.config.event_id_field}:equals:{event_id})" for event_id in wanted)
            params = {"criteria": f"({equal})", "converted": converted, "approved": "both"}
            request_id = f"{call_id}{start // EVENT_IDS_A_CALL + 1}" if start else call_id
            items = _read_items(self._api.call(ApiCall("GET", f"/{MODULE}/search", request_id, params), deadline))
            # A search may match loosely; only records with exactly these event ids are ours.
            found += [
                (event_id, record_id)
                for item in items
                if (event_id := self._event_id(item)) and str(event_id) in wanted
                if (record_id := read_record_id(item.get("id")))
            ]
        return found


def _new_id() -> str:
    return str(uuid4())


def _checked(record_id: str) -> str:
    if read_record_id(record_id) is None:
        raise ValueError("a record id is digits only")
    return record_id


def _read_items(reply: Reply, key: str = "data") -> list[Item]:
    if reply.status == HTTPStatus.NO_CONTENT:
        return []
    items = items_of(reply.body, key)
    if reply.status != HTTPStatus.OK or items is None:
        raise failure_of(reply)
    return items


def _field_info(item: Item) -> FieldInfo:
    length = item.get("length")
    return FieldInfo(
        api_name=safe_name(item.get("api_name")) or "",
        data_type=safe_name(item.get("data_type")) or "",
        length=length if isinstance(length, int) else 0,
        unique=bool(item.get("unique")),
        read_only=item.get("field_read_only") is True or _is_denied(item, "api_create"),
        choices=frozenset(
            str(choice.get("actual_value")) for choice in items_of(item, "pick_list_values") or () if choice
        ),
    )


def _is_denied(item: Item, operation: str) -> bool:
    allowed = item.get("operation_type")
    return isinstance(allowed, dict) and allowed.get(operation) is False


def _next_position(reply: Reply, page: int, before: dict[str, str]) -> dict[str, str]:
    """The query parameter for the next page; empty after the last."""
    info = reply.body.get("info") if isinstance(reply.body, dict) else None
    if not isinstance(info, dict) or info.get("more_records") is not True:
        return {}
    token = info.get("next_page_token")
    position = {"page_token": token} if isinstance(token, str) and token else {"page": str(page)}
    if position == before:
        raise CallFailed(FailureClass.UNKNOWN, "SAME_PAGE_AGAIN", http_status=reply.status)
    return position
