"""PostgreSQL stopped under the API: an honest 503 that says what to do, and business as usual afterwards."""

from __future__ import annotations

import pytest

from tests.support.metrics import metrics_of
from tests.support.site import running_site

pytestmark = pytest.mark.slow

CLICK = {"uniqueCode": "7KQ2Z", "buttonLocation": "hero", "whatsappMessage": "Hi"}


@pytest.fixture
def own_client(own_postgres, monkeypatch):
    monkeypatch.setattr("web.probes.KEEP_SECONDS", 0.0)
    with running_site(DATABASE_URL=own_postgres.url, CLINIC_PHONE="+90 212 555 00 00") as app:
        yield app.test_client()


def test_while_postgresql_is_away_nobody_is_promised_anything(own_postgres, own_client, lead):
    assert own_client.post("/api/leads", json=lead).status_code == 201
    assert own_client.get("/readyz").json == {"ready": True, "database": "up", "redis": "unavailable"}
    own_postgres.stop()
    for path, body in (("/api/leads", lead), ("/api/whatsapp-click", CLICK)):
        response = own_client.post(path, json=body)
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "5"
        assert response.json["code"] == 503
        assert "+90 212 555 00 00" in response.json["message"]
        assert "WhatsApp" in response.json["message"]
        assert "success" not in response.json
    assert own_client.post("/api/leads", json={}).status_code == 422
    ready = own_client.get("/readyz")
    assert (ready.status_code, ready.json["database"]) == (503, "unavailable")
    assert own_client.get("/healthz").status_code == 200
    assert "clinic_database_up 0.0" in metrics_of(own_client.application)
    own_postgres.start()
    assert own_client.post("/api/leads", json=lead).status_code == 201
    assert own_client.get("/readyz").status_code == 200
