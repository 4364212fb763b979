"""The Zoho CRM API client: records, notes and field metadata of one organisation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from typing import NamedTuple
from uuid import uuid4

from worker.crm.port import CallFailed, CustomField, FailureClass, RowResult
from worker.deadline import Deadline
from worker.http import Reply
from worker.zoho.api import Api, ApiCall
from worker.zoho.config import ZohoConfig
from worker.zoho.failures import Item, failure_of, items_of, safe_name
from worker.zoho.replies import read_record_id, read_results, settle_duplicates
from worker.zoho.tokens import TokenStore

MAX_ROWS = 100  # Zoho CRM API v7: Upsert Records
PAGE_ROWS = 200  # the maximum (Zoho CRM API v8: Get Records)


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field as the CRM describes it; length is in characters, 0 where the CRM reports none."""

    api_name: str
    data_type: str
    length: int
    unique: bool
    custom: bool
    label: str = ""


class Organisation(NamedTuple):
    """The organisation that the CRM belongs to."""

    id: str
    name: str


class ZohoClient:
    """Calls to the CRM; safe to share between threads.

    Every method ends within config.call_seconds, tokens and resends included, and raises CallFailed when the
    call has no answer about its records. None retries, except for one resend after a refused token. call_id
    identifies a call in our log and in the CRM's.
    """

    def __init__(self, config: ZohoConfig, store: TokenStore) -> None:
        self._config = config
        self._api = Api(config, store)

    @property
    def credits_left(self) -> int | None:
        """API credits left, as last reported; None until the CRM reports them (once half are used)."""
        return self._api.credits_left

    def upsert(
        self,
        module: str,
        records: Sequence[Mapping[str, object]],
        *,
        call_id: str,
    ) -> list[RowResult]:
        """Write 1 to 100 records, matched on the event id field.

        Args:
            module: the module's API name.
            records: the records, by the CRM's field names.
            call_id: id of the call.

        Returns:
            One result for each record, in the same order.

        Raises:
            CallFailed: the call has no answer about its records.
            ValueError: no records, too many, or event ids missing or repeated.
        """
        event_ids = self._event_ids(records)
        deadline = Deadline(self._config.call_seconds)
        call = ApiCall("POST", f"/{module}/upsert", call_id, json_body=self._upsert_body(module, records))
        reply = self._api.call(call, deadline)
        results = read_results(reply, len(records), self._config.event_id_field)

        def look_up(event_id: str, request_id: str) -> list[Item]:
            search = self._search(module, self._config.event_id_field, event_id, request_id)
            return _read_items(self._api.call(search, deadline))

        return settle_duplicates(results, event_ids, self._config.event_id_field, call_id, look_up)

    def find(
        self, module: str, field: str, value: str, *, converted: str = "", call_id: str | None = None
    ) -> list[Item]:
        """Find the records whose field equals the value.

        Args:
            module: the module's API name.
            field: API name of the field.
            value: the value to find.
            converted: as in `list_records`; "" for the CRM's own default.
            call_id: id of the call; None for a new one.

        Returns:
            The CRM's field dicts: personal data, not to be logged. The search index may lag behind a write by
            seconds.

        Raises:
            CallFailed: the call has no answer.
        """
        call = self._search(module, field, value, call_id or _new_id(), converted)
        return _read_items(self._api.call(call, self._deadline()))

    def list_records(
        self,
        module: str,
        fields: Sequence[str],
        *,
        ids: Sequence[str] = (),
        converted: str = "both",
        call_id: str | None = None,
    ) -> Iterator[list[Item]]:
        """Yield pages of 200 records, newest first, unapproved ones included.

        Args:
            module: the module's API name.
            fields: API names of the fields to read; mandatory, 50 at most (Zoho CRM API v8: Get Records).
            ids: read only these records, 100 at most.
            converted: "true" for records that became a contact, "false" for the others, or "both".
            call_id: id of the first call; None for a new one.

        Raises:
            CallFailed: a call has no answer.
        """
        params = {"fields": ",".join(fields), "converted": converted, "approved": "both"}
        params |= {"ids": ",".join(map(_checked, ids))} if ids else {"sort_by": "id", "sort_order": "desc"}
        return self._pages(f"/{module}", params, call_id)

    def list_deleted(self, module: str, *, kind: str = "all", call_id: str | None = None) -> Iterator[list[Item]]:
        """Yield pages of deleted records: id, time and user of the deletion; none of their fields.

        kind: "recycle" for those in the recycle bin, "permanent" for those deleted for good, or "all".
        """
        return self._pages(f"/{module}/deleted", {"type": kind}, call_id)

    def list_notes(self, module: str, record_id: str, *, call_id: str | None = None) -> Iterator[list[Item]]:
        """Yield pages of a record's notes, titles only, newest first; none for a record that does not exist."""
        return self._pages(f"/{module}/{_checked(record_id)}/Notes", {"fields": "Note_Title"}, call_id)

    def delete(self, module: str, record_id: str, *, call_id: str | None = None) -> RowResult:
        """Move a record to the CRM's recycle bin, where it stays for 60 days."""
        call = ApiCall("DELETE", f"/{module}/{_checked(record_id)}", call_id or _new_id())
        return self._read_one(self._api.call(call, self._deadline()))

    def purge(self, record_id: str, *, call_id: str | None = None) -> RowResult:
        """Delete a record from the recycle bin for good (github.com/zoho/crm-oas: v8.0/recycle_bin.json)."""
        call = ApiCall("DELETE", f"/settings/recycle_bin/{_checked(record_id)}", call_id or _new_id())
        reply = self._api.call(call, self._deadline())
        return read_results(reply, 1, self._config.event_id_field, "recycle_bin")[0]

    def add_note(
        self, module: str, record_id: str, title: str, content: str, *, call_id: str | None = None
    ) -> RowResult:
        """Add a note to a record; not idempotent, a repeat makes a second note.

        Args:
            module: the module's API name.
            record_id: the record that gets the note.
            title: the note's title.
            content: the note's text.
            call_id: id of the call; None for a new one.

        Raises:
            CallFailed: the call has no answer about the note.
        """
        parent = {"module": {"api_name": module}, "id": _checked(record_id)}
        body = {"data": [{"Note_Title": title, "Note_Content": content, "Parent_Id": parent}]}
        call = ApiCall("POST", f"/{module}/{record_id}/Notes", call_id or _new_id(), json_body=body)
        return self._read_one(self._api.call(call, self._deadline()))

    def fields(self, module: str) -> list[FieldInfo]:
        """List every field of a module that the API user's profile may see."""
        call = ApiCall("GET", "/settings/fields", _new_id(), {"module": module})
        reply = self._api.call(call, self._deadline())
        items = items_of(reply.body, "fields")
        if reply.status == HTTPStatus.NO_CONTENT:
            return []
        if reply.status != HTTPStatus.OK or items is None:
            raise failure_of(reply)
        return [_field_info(item) for item in items]

    def create_field(self, module: str, spec: CustomField) -> RowResult:
        """Add a custom field; the CRM derives its API name from the label (Zoho CRM API v8: Create Fields)."""
        field: dict[str, object] = {"field_label": spec.label, "data_type": spec.data_type}
        if spec.data_type == "text":
            field["length"] = spec.length
        if spec.data_type == "textarea":
            field["textarea"] = {"type": "small"}
        if spec.unique:
            field["unique"] = {"casesensitive": "false"}
        body = {"fields": [field]}
        call = ApiCall("POST", "/settings/fields", _new_id(), {"module": module}, body)
        reply = self._api.call(call, self._deadline())
        return read_results(reply, 1, self._config.event_id_field, "fields")[0]

    def probe(self) -> tuple[str, ...]:
        """Ensure that there is a valid token; return its scopes, empty where the store does not keep them."""
        return self._api.token(self._deadline()).scopes

    def renew_token(self) -> bool:
        """Mint a token now, to try the refresh token itself; False when no mint is allowed yet."""
        return self._api.renew_token(self._deadline())

    def organisation(self) -> Organisation:
        """Read the organisation's id and name; needs the scope ZohoCRM.org.READ."""
        reply = self._api.call(ApiCall("GET", "/org", _new_id()), self._deadline())
        items = items_of(reply.body, "org")
        if reply.status != HTTPStatus.OK or not items:
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
            items = items_of(reply.body)
            if reply.status != HTTPStatus.OK or items is None:
                raise failure_of(reply)
            yield items
            position = _next_position(reply, page + 1, position)
            if not position:
                return

    def _deadline(self) -> Deadline:
        return Deadline(self._config.call_seconds)

    def _read_one(self, reply: Reply) -> RowResult:
        return read_results(reply, 1, self._config.event_id_field)[0]

    def _event_ids(self, records: Sequence[Mapping[str, object]]) -> list[str]:
        if not 1 <= len(records) <= MAX_ROWS:
            raise ValueError(f"an upsert takes 1 to {MAX_ROWS} records, not {len(records)}")
        ids = [record.get(self._config.event_id_field) for record in records]
        texts = [value for value in ids if isinstance(value, str) and value]
        if len(texts) != len(records) or len(set(texts)) != len(records):
            raise ValueError(f"every record needs its own {self._config.event_id_field}")
        return texts

    def _upsert_body(self, module: str, records: Sequence[Mapping[str, object]]) -> dict[str, object]:
        body: dict[str, object] = {
            "data": [dict(record) for record in records],
            "duplicate_check_fields": [self._config.event_id_field],
        }
        if self._config.trigger is not None:
            body["trigger"] = list(self._config.trigger)
        if self._config.lead_assignment_rule is not None and module == "Leads":
            body["lar_id"] = self._config.lead_assignment_rule
        return body

    @staticmethod
    def _search(module: str, field: str, value: str, call_id: str, converted: str = "") -> ApiCall:
        escaped = re.sub(r"([\\(),])", r"\\\1", value)
        params = {"criteria": f"({field}:equals:{escaped})"} | ({"converted": converted} if converted else {})
        return ApiCall("GET", f"/{module}/search", call_id, params)


def _new_id() -> str:
    return str(uuid4())


def _checked(record_id: str) -> str:
    if read_record_id(record_id) is None:
        raise ValueError("a record id is digits only")
    return record_id


def _read_items(reply: Reply) -> list[Item]:
    if reply.status == HTTPStatus.NO_CONTENT:
        return []
    items = items_of(reply.body)
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
        custom=item.get("custom_field") is True,
        label=str(item.get("field_label", "")),
    )


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
