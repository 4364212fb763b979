"""GET /api/openapi.json: where it is served."""

from __future__ import annotations

import pytest

from leads.settings import read_settings
from web.app import close_app, create_app

URL = "postgresql://clinic:secret@127.0.0.1/none"


@pytest.fixture
def make_client():
    apps = []

    def make(**environ):
        apps.append(create_app(read_settings({"DATABASE_URL": URL, "FRONTEND_DIR": "no-such-build"} | environ)))
        return apps[-1].test_client()

    yield make
    for app in apps:
        close_app(app)


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({}, 200),
        ({"ENVIRONMENT": "production"}, 404),
        ({"ENVIRONMENT": "production", "API_DOCS": "yes"}, 200),
        ({"API_DOCS": "no"}, 404),
    ],
)
def test_the_document_is_closed_in_production_unless_it_is_opened(make_client, environ, status):
    assert make_client(**environ).get("/api/openapi.json").status_code == status
