"""GET /api/openapi.json: where it is served, and how."""

from __future__ import annotations

import gzip
import json

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


def test_the_document_is_compressed_for_who_takes_it_so(make_client):
    client = make_client()
    plain = client.get("/api/openapi.json")
    small = client.get("/api/openapi.json", headers={"Accept-Encoding": "br, gzip"})
    assert (plain.headers.get("Content-Encoding"), small.headers["Content-Encoding"]) == (None, "gzip")
    assert small.headers["Vary"] == "Accept-Encoding"
    assert json.loads(gzip.decompress(small.data)) == plain.json
    assert len(small.data) < len(plain.data) / 4
