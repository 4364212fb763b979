"""Reading lists page by page: records, notes, deleted records. What is read from them is the caller's affair."""

from __future__ import annotations

from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING
from uuid import uuid4

from worker.zoho.api import ApiCall
from worker.zoho.deadline import Deadline
from worker.zoho.errors import CallFailed, FailureClass
from worker.zoho.failures import failure_of, items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from worker.zoho.api import Api
    from worker.zoho.failures import Item
    from worker.zoho.transport import Reply

PAGE_ROWS = 200  # the most a page holds (Zoho CRM API v8: Get Records)


def read_pages(
    api: Api, path: str, params: Mapping[str, str], *, call_seconds: float, call_id: str | None = None
) -> Iterator[list[Item]]:
    """Yields a list page by page, each call within call_seconds; CallFailed ends it.

    Follows the CRM's page token where it gives one: page numbers end at 2,000 rows (Zoho CRM API v8: Get
    Records), and rows that arrive meanwhile shift them.
    """
    name, turn = call_id or str(uuid4()), dict[str, str]()
    for page in count(1):
        asked = {**params, "per_page": str(PAGE_ROWS), **turn}
        wire_id = name if page == 1 else f"{name}-p{page}"
        reply = api.call(ApiCall("GET", path, wire_id, asked), Deadline(call_seconds))
        if reply.status == HTTPStatus.NO_CONTENT:
            return
        items = items_of(reply.body)
        if reply.status != HTTPStatus.OK or items is None:
            raise failure_of(reply)
        yield items
        turn = _next(reply, page + 1, turn)
        if not turn:
            return


def _next(reply: Reply, page: int, before: dict[str, str]) -> dict[str, str]:
    """The parameter that asks for the next page; empty after the last."""
    info = reply.body.get("info") if isinstance(reply.body, dict) else None
    if not isinstance(info, dict) or info.get("more_records") is not True:
        return {}
    token = info.get("next_page_token")
    turn = {"page_token": token} if isinstance(token, str) and token else {"page": str(page)}
    if turn == before:
        raise CallFailed(FailureClass.UNKNOWN, "SAME_PAGE_AGAIN", http_status=reply.status)
    return turn
