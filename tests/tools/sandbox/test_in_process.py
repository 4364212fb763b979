"""The sandbox without a server: how a simulation drives it, step by step, on its own clock."""

from tests.tools.sandbox.conftest import LocalCaller, lead
from tools.sandbox import reports
from tools.sandbox.exchange import Outcome


def calls(local):
    return reports.calls(local.sandbox, {"kind": "api"}, 1_000, 0)["calls"]


def test_a_call_waits_and_counts_as_in_flight_until_its_steps_end(local):
    local.sandbox.change({"latency": {"ms": 250}})
    first, second = local.begin_upsert(lead(1)), local.begin_upsert(lead(2))
    assert (next(first), next(second), local.sandbox.in_flight.total) == (0.25, 0.25, 2)
    local.time += 0.25
    assert isinstance(next(second), Outcome)
    assert [record["Website_Event_ID"] for record in local.records()] == ["event-2"]
    assert (list(second), next(first).reply.status, list(first)) == ([], 200, [])
    assert local.sandbox.in_flight.total == 0
    assert [(call["in_flight"], round(call["duration_ms"])) for call in calls(local)] == [(2, 250), (1, 250)]


def run(seed):
    local = LocalCaller(seed)
    local.sandbox.change({"server_error": {"probability": 0.5}, "latency": {"ms": 1, "jitter_ms": 99}})
    waits = []
    for number in range(40):
        call = local.begin_upsert(lead(number))
        waits.append(next(call))
        local.time += waits[-1]
        list(call)
    found = (local.token, waits, local.records(), calls(local))
    local.sandbox.ledger.close()
    return found


def test_a_seed_repeats_everything_and_another_one_has_other_tokens():
    assert run(1) == run(1)
    assert run(1)[0] != run(2)[0]
