"""Tokens: minted once for everybody, early, and never more often than allowed."""

from datetime import UTC, datetime
from threading import Barrier, Thread

import pytest

from tests.support.token_store import MemoryTokenStore
from tools.sandbox import credentials
from worker.crm.port import CallFailed, FailureClass
from worker.http import HttpClient, Reply
from worker.zoho.auth import MINT_SPACING_SECONDS, AccessToken


class Clock:
    """Monotonic seconds that tests move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryTokenStore:
    return MemoryTokenStore(clock)


def test_a_token_refused_under_eight_threads_and_two_clients_is_renewed_once(
    sandbox, make_client, make_lead, store, clock
):
    clients = [make_client(store), make_client(store)] * 4
    clients[0].upsert(make_lead(), call_id="warm")
    clock.now += MINT_SPACING_SECONDS
    sandbox.faults(expire_tokens={"count": 1})
    upsert_together(clients, make_lead)
    assert len(sandbox.summary()["tokens_minted"]) == 2


def upsert_together(clients, make_lead):
    barrier, failures = Barrier(len(clients)), []

    def write(client, number: int) -> None:
        barrier.wait()
        try:
            for turn in range(4):
                client.upsert(make_lead(), call_id=f"{number}.{turn}")
        except CallFailed as failure:
            failures.append(failure)

    threads = [Thread(target=write, args=(client, n)) for n, client in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_token_is_renewed_a_minute_before_its_end(sandbox, make_client, make_lead, store, clock):
    sandbox.faults(limits={"token_life_s": 59})
    client = make_client(store)
    client.upsert(make_lead(), call_id="one")
    client.upsert(make_lead(), call_id="inside the spacing: the old one still does")
    assert len(sandbox.summary()["tokens_minted"]) == 1
    clock.now += MINT_SPACING_SECONDS
    client.upsert(make_lead(), call_id="two")
    assert len(sandbox.summary()["tokens_minted"]) == 2


def test_a_refused_token_waits_when_the_mint_budget_is_spent(sandbox, make_client, make_lead, store, clock):
    client = make_client(store)
    client.upsert(make_lead(), call_id="one")
    sandbox.faults(expire_tokens=True)
    clock.now += 20
    with pytest.raises(CallFailed) as failed:
        client.upsert(make_lead(), call_id="two")
    assert (failed.value.failure, failed.value.code) == (FailureClass.AUTH, "TOKEN_BUDGET")
    assert failed.value.retry_after_seconds == MINT_SPACING_SECONDS - 20
    assert len(sandbox.summary()["tokens_minted"]) == 1


def test_refused_credentials_stay_the_reason_while_the_next_mint_must_wait(make_client, make_lead, store, clock):
    client = make_client(store, refresh_token="1000.revoked")
    for _ in range(3):
        with pytest.raises(CallFailed) as failed:
            client.upsert(make_lead(), call_id="c")
        assert (failed.value.failure, failed.value.code) == (FailureClass.CONFIGURATION, "invalid_code")
    clock.now += MINT_SPACING_SECONDS
    make_client(store).upsert(make_lead(), call_id="d")
    assert store.refusal() is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"refresh_token": "1000.revoked"}, "invalid_code"),
        ({"client_id": "1000.OTHER"}, "invalid_client"),
        ({"client_secret": "wrong"}, "invalid_client_secret"),
    ],
)
def test_wrong_credentials_are_a_matter_of_configuration(make_client, make_lead, changes, code):
    with pytest.raises(CallFailed) as failed:
        make_client(**changes).upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.code) == (FailureClass.CONFIGURATION, code)
    assert "1000." not in str(failed.value)


def test_a_throttled_token_endpoint_is_left_alone_for_ten_minutes(sandbox, make_client, make_lead, store, clock):
    sandbox.faults(token_throttled={"count": 1})
    client = make_client(store)
    with pytest.raises(CallFailed) as failed:
        client.upsert(make_lead(), call_id="one")
    assert (failed.value.failure, failed.value.retry_after_seconds) == (FailureClass.AUTH, 600.0)
    clock.now += 599
    with pytest.raises(CallFailed) as again:
        client.upsert(make_lead(), call_id="two")
    assert (again.value.code, again.value.retry_after_seconds) == ("TOKEN_BUDGET", 1.0)
    assert len(sandbox.calls(kind="oauth")) == 1
    clock.now += 1
    client.upsert(make_lead(), call_id="three")


@pytest.mark.parametrize(
    "body",
    [
        {"access_token": "a\r\nX: y"},
        {"access_token": "töken"},
        {"access_token": "x" * 2001},
        {"access_token": "x", "expires_in": 1e308},
        {"access_token": "x", "expires_in": "soon"},
        {"access_token": "x", "expires_in": -1},
    ],
)
def test_a_token_that_cannot_be_used_is_refused_when_it_is_minted(make_client, make_lead, store, monkeypatch, body):
    client = make_client(store)
    minted = Reply(200, {}, body, received_at=datetime.now(UTC))
    monkeypatch.setattr(HttpClient, "exchange", lambda *_: minted)
    with pytest.raises(CallFailed) as failed:
        client.upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.code) == (FailureClass.TRANSIENT, "TOKEN_UNUSABLE")
    assert store.read() is None


def test_a_stored_token_that_cannot_be_used_is_replaced(sandbox, make_client, make_lead, store):
    store.finish_mint("a\r\nX: y", 3600.0)
    make_client(store).upsert(make_lead(), call_id="c")


def test_a_header_that_is_too_long_is_a_refused_token(sandbox, make_client, make_lead, store, clock, monkeypatch):
    client = make_client(store)
    client.upsert(make_lead(), call_id="warm")
    clock.now += MINT_SPACING_SECONDS
    real, refused = HttpClient.exchange, Reply(431, {}, None, received_at=datetime.now(UTC))
    answers = [refused]
    monkeypatch.setattr(HttpClient, "exchange", lambda *given: answers.pop() if answers else real(*given))
    client.upsert(make_lead(), call_id="c")
    assert len(sandbox.summary()["tokens_minted"]) == 2


def test_a_mint_of_another_that_takes_too_long_is_not_waited_for(make_client, make_lead, store, clock):
    assert store.begin_mint(None, spacing=MINT_SPACING_SECONDS)
    clock.now += 11
    with pytest.raises(CallFailed) as failed:
        make_client(store).upsert(make_lead(), call_id="c")
    assert (failed.value.failure, failed.value.code) == (FailureClass.AUTH, "TOKEN_BUDGET")


def test_secrets_do_not_print(make_config):
    shown = repr(make_config()) + repr(AccessToken("the value", datetime.now(UTC)))
    assert credentials.CLIENT_SECRET not in shown
    assert credentials.REFRESH_TOKEN not in shown
    assert "the value" not in shown
