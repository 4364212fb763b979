"""The Zoho CRM API client: Zoho CRM behind the port. One module of one organisation, matched by our event id."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from itertools import count
from uuid import UUID, uuid4

from worker.crm.port import EVENT_ID_FIELD, CallFailed, CrmRecord, CustomField, FailureClass
from worker.http import Deadline, HttpClient, NoReply, Reply, Request
from worker.zoho.auth import AccessToken, Authenticator, TokenStore
from worker.zoho.config import ZohoConfig
from worker.zoho.replies import Item, code_of, failure_of, items_of, read_record_id, read_result, safe_name, top_of

API_PATH = "/crm/v8"
# A gateway sends 431 when a header is too long, and of ours only the token's can be.
_TOKEN_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
# 401s that a new token does not cure: a missing scope, or an Authorization header that cannot be read.
_TOKEN_NOT_AT_FAULT = ("OAUTH_SCOPE_MISMATCH", "AUTHENTICATION_FAILURE")
# Codes of an upsert that is refused only because the row's record exists.
_PROVES_RECORD = ("NOT_APPROVED", "RECORD_IN_BLUEPRINT")
MODULE = "Leads"  # clicks become records of the same module, so that sales staff have one list
PAGE_ROWS = 200  # the maximum (Zoho CRM API v8: Get Records)
# The code of the reply when the record to change or delete does not exist (Zoho CRM API v8: Delete Records).
_GONE = "INVALID_DATA"
# Standard fields by which an upsert overwrites another enquiry's record once they are marked unique: it looks up
# every user-defined unique field, after those that it names (Zoho CRM API v7: Upsert Records).
OVERWRITING = ("Phone",)
# Other field types that can hold the values of a type.
_COMPATIBLE = {"text": {"textarea", "website"}, "website": {"text", "textarea"}, "picklist": {"text"}}
# An organisation either adds an unlisted value (Zoho CRM API v7: Insert Records) or refuses it.
_NO_CHOICE = "Zoho adds it with the first lead, or leads arrive with it in Description; add it, or change ours"


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


class ZohoClient:
    """`worker.crm.port.Crm`; safe to share between threads.

    Every method ends within config.call_seconds, tokens and resends included, and raises CallFailed when the
    call has no answer about its records. None retries, except for one resend after a refused token.
    """

    def __init__(self, config: ZohoConfig, store: TokenStore) -> None:
        self.config = config
        self._http = HttpClient()
        self._auth = Authenticator(config, store, self._http)

    def upsert(self, record: Mapping[str, object], *, call_id: str) -> str:
        """See `Crm`."""
        body: dict[str, object] = {"data": [dict(record)], "duplicate_check_fields": [EVENT_ID_FIELD]}
        if self.config.lead_assignment_rule is not None:
            body["lar_id"] = self.config.lead_assignment_rule
        try:
            return read_result(self._call("POST", f"/{MODULE}/upsert", call_id, body=body))
        except CallFailed as failure:
            if failure.code in _PROVES_RECORD:
                failure.failure = FailureClass.UNKNOWN  # the row's next try looks for it
            raise

    def update(self, record_id: str, fields: Mapping[str, object], *, call_id: str) -> None:
        """See `Crm`."""
        body = {"data": [{**fields, "id": _checked(record_id)}], "trigger": []}
        with _telling_gone(field="id"):
            read_result(self._call("PUT", f"/{MODULE}", call_id, body=body))

    def find(self, event_ids: Sequence[UUID], *, call_id: str, customers: bool = True) -> list[tuple[UUID, str]]:
        """See `Crm`. Records that wait for approval are included."""
        equal = "or".join(f"({EVENT_ID_FIELD}:equals:{event_id})" for event_id in event_ids)
        converted = "both" if customers else "false"
        params = {"criteria": f"({equal})", "converted": converted, "approved": "both"}
        items = _read_items(self._call("GET", f"/{MODULE}/search", call_id, params=params))
        # A search may match loosely; only records with exactly these event ids are ours.
        return [
            (event_id, record_id)
            for item in items
            if (event_id := _event_id(item)) and event_id in event_ids
            if (record_id := read_record_id(item.get("id")))
        ]

    def list_records(self, *, ids: Sequence[str] = (), call_id: str | None = None) -> Iterator[list[CrmRecord]]:
        """See `Crm`. Unapproved records are included."""
        # `fields` is mandatory (Zoho CRM API v8: Get Records).
        params = {"fields": f"id,{EVENT_ID_FIELD},Created_Time", "converted": "both", "approved": "both"}
        params |= {"ids": ",".join(map(_checked, ids))} if ids else {"sort_by": "id", "sort_order": "desc"}
        for page in self._pages(f"/{MODULE}", params, call_id):
            yield [record for item in page if (record := _record(item)) is not None]

    def list_deleted(self) -> Iterator[list[str]]:
        """See `Crm`."""
        for page in self._pages(f"/{MODULE}/deleted", {"type": "all"}, None):
            yield [found_id for item in page if (found_id := read_record_id(item.get("id"))) is not None]

    def delete(self, record_id: str, *, call_id: str) -> None:
        """See `Crm`. The record stays in the recycle bin for 60 days."""
        with _telling_gone():
            read_result(self._call("DELETE", f"/{MODULE}/{_checked(record_id)}", call_id))

    def purge(self, record_id: str, *, call_id: str) -> None:
        """See `Crm` (github.com/zoho/crm-oas: v8.0/recycle_bin.json)."""
        path = f"/settings/recycle_bin/{_checked(record_id)}"
        with _telling_gone():
            read_result(self._call("DELETE", path, call_id), "recycle_bin")

    def fields(self) -> list[FieldInfo]:
        """List every field that the API user's profile may see."""
        reply = self._call("GET", "/settings/fields", str(uuid4()), params={"module": MODULE})
        return [_field_info(item) for item in _read_items(reply, "fields")]

    def unfit_fields(self, fields: Sequence[CustomField]) -> list[str]:
        """See `Crm`."""
        found = {field.api_name: field for field in self.fields()}
        unfit = [spec.name for spec in fields if spec.name not in found or found[spec.name].mismatch(spec)]
        unfit += [name for name in OVERWRITING if name in found and found[name].unique]
        return unfit

    def create_field(self, spec: CustomField) -> None:
        """Add a custom field; the CRM derives its API name from the label (Zoho CRM API v8: Create Fields)."""
        field: dict[str, object] = {"field_label": spec.label, "data_type": spec.data_type}
        if spec.data_type == "text":
            field["length"] = spec.length
        if spec.data_type == "textarea":
            field["textarea"] = {"type": "small"}
        if spec.unique:
            field["unique"] = {"casesensitive": "false"}
        body, params = {"fields": [field]}, {"module": MODULE}
        read_result(self._call("POST", "/settings/fields", str(uuid4()), params=params, body=body), "fields")

    def scopes(self) -> tuple[str, ...]:
        """Ensure that there is a valid token; return its scopes, empty where the CRM did not name them."""
        return self._auth.token(Deadline(self.config.call_seconds)).scopes

    def renew_token(self) -> bool:
        """Mint a token now, to try the refresh token itself; False when no mint is allowed yet."""
        return self._auth.renew(Deadline(self.config.call_seconds))

    def close(self) -> None:
        """Close idle connections."""
        self._http.close()

    def _call(
        self,
        method: str,
        path: str,
        call_id: str,
        *,
        params: Mapping[str, str] | None = None,
        body: object = None,
    ) -> Reply:
        """Send a call; when the token is refused, get another one and send once more.

        Returns any reply, whatever its status, and raises CallFailed when there is none. `path` is relative to
        /crm/v8; `call_id` identifies the call in our log and in the CRM's.
        """
        deadline = Deadline(self.config.call_seconds)
        headers = {} if body is None else {"Content-Type": "application/json"}
        url = self.config.api_url.rstrip("/") + API_PATH + path

        def send(token: AccessToken, request_id: str) -> Reply:
            own = {"Authorization": f"Zoho-oauthtoken {token.value}", "X-Request-ID": request_id}
            try:
                return self._http.exchange(Request(method, url, headers | own, params, body), deadline)
            except NoReply as error:
                failure = FailureClass.UNKNOWN if error.sent else FailureClass.TRANSIENT
                raise CallFailed(failure, error.code, detail=error.detail) from error

        token = self._auth.token(deadline)
        reply = send(token, call_id)
        if reply.status not in _TOKEN_REFUSED or code_of(top_of(reply.body)) in _TOKEN_NOT_AT_FAULT:
            return reply
        return send(self._auth.token(deadline, refused=token.value), f"{call_id}-2")

    def _pages(self, path: str, params: Mapping[str, str], call_id: str | None) -> Iterator[list[Item]]:
        """Yield a list page by page, each within config.call_seconds.

        Follows the CRM's page token where there is one: page numbers end at 2,000 rows (Zoho CRM API v8: Get
        Records), and rows that arrive meanwhile shift them.
        """
        first_id, position = call_id or str(uuid4()), dict[str, str]()
        for page in count(1):
            request_id = first_id if page == 1 else f"{first_id}-p{page}"
            of_page = {**params, "per_page": str(PAGE_ROWS), **position}
            reply = self._call("GET", path, request_id, params=of_page)
            if reply.status == HTTPStatus.NO_CONTENT:
                return
            yield _read_items(reply, "data")
            position = _next_position(reply, page + 1, position)
            if not position:
                return


@contextmanager
def _telling_gone(field: str | None = None) -> Iterator[None]:
    """Tell a missing record from other refusals: by the code, and by the field that is refused if one is named."""
    try:
        yield
    except CallFailed as failure:
        if failure.code == _GONE and field in (None, failure.field):
            failure.failure = FailureClass.GONE
        raise


def _event_id(item: Item) -> UUID | None:
    try:
        return UUID(str(item.get(EVENT_ID_FIELD)))
    except ValueError:
        return None


def _record(item: Item) -> CrmRecord | None:
    if (found_id := read_record_id(item.get("id"))) is None:
        return None
    created = datetime.fromisoformat(str(item.get("Created_Time")))
    return CrmRecord(found_id, _event_id(item), created)


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
    length, choices = item.get("length"), items_of(item, "pick_list_values") or ()
    allowed = item.get("operation_type")
    is_denied = isinstance(allowed, dict) and allowed.get("api_create") is False
    return FieldInfo(
        api_name=safe_name(item.get("api_name")) or "",
        data_type=safe_name(item.get("data_type")) or "",
        length=length if isinstance(length, int) else 0,
        unique=bool(item.get("unique")),
        read_only=item.get("field_read_only") is True or is_denied,
        choices=frozenset(str(choice.get("actual_value")) for choice in choices if choice),
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
