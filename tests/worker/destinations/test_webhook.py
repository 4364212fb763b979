"""The webhook's signature and what each answer means, against a real receiver on this machine."""

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from leads.lifecycle import Retry, Sent
from leads.settings import read_settings
from tests.support.samples import WEBHOOK_SECRET
from worker.destinations import webhook
from worker.destinations.webhook import post_webhook


def post(receiver, **more):
    settings = read_settings(
        {
            "DATABASE_URL": "postgresql://127.0.0.1/none",
            "LEAD_WEBHOOK_URL": receiver.url,
            "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
            **more,
        }
    )
    return post_webhook(settings, {"text": "Grüße", "type": "lead.created"}, message_id="msg_1")


def test_a_message_arrives_signed(receiver):
    assert post(receiver) == Sent(http_status=204)
    (received,) = receiver.requests
    assert received.headers["content-type"] == "application/json"
    assert received.headers["webhook-id"] == "msg_1"
    assert Webhook(WEBHOOK_SECRET).verify(received.body, dict(received.headers)) == {
        "text": "Grüße",
        "type": "lead.created",
    }
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_YW5vdGhlciBzZWNyZXQ=").verify(received.body, dict(received.headers))


def test_a_chat_that_refuses_other_properties_gets_the_text_alone(receiver, monkeypatch):
    monkeypatch.setattr(webhook, "ONLY_TEXT", {"127.0.0.1"})
    assert post(receiver) == Sent(http_status=204)
    (received,) = receiver.requests
    assert Webhook(WEBHOOK_SECRET).verify(received.body, dict(received.headers)) == {"text": "Grüße"}


@pytest.mark.parametrize("status", [301, 400, 401, 404, 410, 429, 500, 503])
def test_any_other_answer_is_tried_again_and_a_redirect_is_not_followed(receiver, status):
    receiver.status = status
    assert post(receiver) == Retry(code=f"HTTP_{status}", answered=status < 500, http_status=status)
    assert len(receiver.requests) == 1


def test_a_receiver_that_is_away_or_silent_costs_a_bounded_wait(receiver, monkeypatch):
    monkeypatch.setattr(webhook, "SECONDS", 0.5)
    receiver.silent = True
    assert post(receiver) == Retry(code="TIMEOUT", detail="the deadline ended the call", answered=False)
    receiver.close()
    assert post(receiver) == Retry(code="CONNECT_FAILED", detail="ConnectionRefusedError", answered=False)
