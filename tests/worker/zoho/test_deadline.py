"""A call ends on time, and ends no other."""

import time
from threading import Thread

import pytest

from worker.crm.port import CallFailed, FailureClass

pytestmark = pytest.mark.slow

SECONDS = 1.0
# What a call may take beyond its wall clock on a busy machine.
GRACE = 5.0


@pytest.fixture
def warm_client(make_client, make_lead):
    client = make_client(call_seconds=SECONDS)
    client.upsert(make_lead(), call_id="warm")
    return client


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ({"drip": {"seconds": 0.3}}, "the body drips"),
        ({"hang": {"commit": True}}, "nothing comes, though the rows were stored"),
        ({"hang": {}}, "nothing comes"),
        ({"latency": {"ms": 30_000}}, "the reply is late"),
    ],
)
def test_a_call_ends_on_time_when(crm, warm_client, make_lead, fault, what):
    crm.faults(**fault)
    began = time.monotonic()
    with pytest.raises(CallFailed) as failed:
        warm_client.upsert(make_lead(), call_id="slow")
    assert time.monotonic() - began < SECONDS + GRACE, what
    assert (failed.value.failure, failed.value.code) == (FailureClass.UNKNOWN, "TIMEOUT")


def test_a_call_is_sent_again_over_a_fresh_connection_after_the_clock_struck(crm, warm_client, make_lead):
    lead = make_lead()
    crm.faults(drip={"seconds": 0.3, "count": 1})
    with pytest.raises(CallFailed):
        warm_client.upsert(lead, call_id="slow")
    assert warm_client.upsert(lead, call_id="again").action == "update"


def test_one_slow_call_ends_without_touching_its_neighbours(crm, make_client, make_lead):
    client, results, failures = make_client(call_seconds=4.0), [], []
    client.upsert(make_lead(), call_id="warm")
    crm.faults(hang={"count": 1})

    def write(number: int) -> None:
        try:
            results.extend(client.upsert(make_lead(), call_id=f"{number}.{turn}") for turn in range(15))
        except CallFailed as failure:
            failures.append(failure.code)

    threads = [Thread(target=write, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == ["TIMEOUT"]
    assert len(results) >= 5 * 15
    assert all(result.ok for result in results)


def test_a_token_endpoint_that_hangs_is_inside_the_same_clock(crm, make_client, make_lead):
    crm.faults(hang={"path": "/oauth"})
    began = time.monotonic()
    with pytest.raises(CallFailed) as failed:
        make_client(call_seconds=SECONDS).upsert(make_lead(), call_id="c")
    assert time.monotonic() - began < SECONDS + GRACE
    assert (failed.value.failure, failed.value.code) == (FailureClass.TRANSIENT, "TOKEN_TIMEOUT")
    assert crm.calls(request_id="c") == []
