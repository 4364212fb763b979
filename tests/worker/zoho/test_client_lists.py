"""Lists are read page by page to their end, newest first, whatever arrives meanwhile."""

from __future__ import annotations

import pytest

from worker.crm.port import CallFailed


def fill(client, make_lead, count):
    for number in range(count):
        client.upsert(make_lead(), call_id=f"fill-{number}")


def test_every_record_of_a_list_is_read_once_newest_first(make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 450)
    pages = list(client.list_records())
    ids = [int(item.id) for page in pages for item in page]
    assert [len(page) for page in pages] == [200, 200, 50]
    assert ids == sorted(set(ids), reverse=True)


def test_records_that_arrive_meanwhile_shift_no_page(make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 300)
    pages = client.list_records()
    first = next(pages)
    fill(client, make_lead, 50)
    rest = [item for page in pages for item in page]
    assert len({item.id for item in [*first, *rest]}) == 300


def test_a_list_beyond_two_thousand_rows_is_read_to_its_end(crm, make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 2_100)
    assert sum(len(page) for page in client.list_records()) == 2_100
    assert {call["status"] for call in crm.calls(kind="api", method="GET")} == {200}


def test_the_hour_in_which_the_clocks_go_back_is_in_order(crm, make_client, make_lead):
    """The CRM writes times in its user's zone: those of a moment later look an hour earlier."""
    client = make_client()
    fill(client, make_lead, 1)
    crm.faults(limits={"utc_offset_min": 120})
    fill(client, make_lead, 1)
    ((later, earlier),) = client.list_records()
    assert 0 <= (later.created_at - earlier.created_at).total_seconds() < 60


def test_an_empty_list_has_no_page(make_client):
    assert list(make_client().list_records()) == []
    assert list(make_client().list_deleted()) == []


def test_records_are_read_by_their_ids(make_client, make_lead):
    client = make_client()
    made = [client.upsert(make_lead(), call_id=call_id) for call_id in "abc"]
    wanted = [made[0].record_id, made[2].record_id, "488800000000999999"]
    (page,) = client.list_records(ids=wanted)
    assert {item.id for item in page} == set(wanted[:2])
    with pytest.raises(ValueError, match="digits"):
        list(client.list_records(ids=["1 or 1"]))


def test_deleted_records_are_listed(make_client, make_lead):
    client = make_client()
    _, gone = (client.upsert(make_lead(), call_id=call_id).record_id for call_id in "ab")
    client.delete(gone, call_id="gone")
    assert list(client.list_deleted()) == [[gone]]


def test_a_list_that_is_refused_midway_says_so(crm, make_client, make_lead):
    client = make_client()
    fill(client, make_lead, 250)
    pages = client.list_records()
    next(pages)
    crm.faults(server_error={"status": 503})
    with pytest.raises(CallFailed, match="HTTP_503"):
        next(pages)
