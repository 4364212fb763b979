"""Budgets that a simulation or a drill runs into: calls in flight, and the lockout of the token endpoint."""

import pytest

from tests.sandbox.conftest import lead

LARGE = [
    ("GET", "Leads?fields=id&sort_by=id", None),
    ("GET", "Leads?fields=id&cvid=1", None),
    ("POST", "coql", {"select_query": "select Email from Leads"}),
    ("POST", "Leads", {"data": [lead(number) for number in range(11)]}),
]
SMALL = [
    ("GET", "Leads?fields=id", None),
    ("GET", "Leads/search?email=sample1@example.com", None),
    ("POST", "Leads", {"data": [lead(number) for number in range(10)]}),
]


@pytest.mark.parametrize(("call", "is_large"), [*((c, True) for c in LARGE), *((c, False) for c in SMALL)])
def test_large_writes_sorted_lists_and_queries_share_the_smaller_pool(local, call, is_large):
    local.sandbox.change({"latency": True, "limits": {"concurrency_large": 1}})
    under_way = local.begin(*LARGE[0])
    next(under_way)
    refused = next(local.begin(*call))
    assert (not isinstance(refused, float) and refused.reply.status == 429) == is_large
    list(under_way)
    assert isinstance(next(local.begin(*call)), float)


def test_a_query_is_refused_as_not_supported(local):
    assert local("POST", "coql", {"select_query": "select Email from Leads"}).body["code"] == "NOT_SUPPORTED"


def test_the_lockout_of_tokens_doubles_with_every_try_and_ends_when_left_alone(local):
    local.sandbox.change({"limits": {"token_mint_limit": 1, "token_lockout_s": 100}})
    assert local.mint().body["error"] == "Access Denied"
    local.time += 600
    assert "access_token" in local.mint().body
    for waited in (0, 99, 199, 399):
        local.time += waited
        assert local.mint().body["error"] == "Access Denied"
    local.time += 799
    assert local.mint().body["error"] == "Access Denied"
    local.time += 1_600
    assert "access_token" in local.mint().body


def test_without_a_lockout_only_the_window_counts(local):
    local.sandbox.change({"limits": {"token_mint_limit": 1}})
    assert [local.mint().status for _ in range(5)] == [400] * 5
    local.time += 600
    assert local.mint().status == 200
