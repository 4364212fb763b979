"""GET /api/openapi.json: where it is served."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.support.site import running_site

URL = "postgresql://clinic:secret@127.0.0.1/none"


@pytest.fixture
def make_client():
    with ExitStack() as stack:
        yield lambda **environ: stack.enter_context(running_site(DATABASE_URL=URL, **environ)).test_client()


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({}, 200),
        ({"ENVIRONMENT": "production"}, 404),
    ],
)
def test_the_document_is_closed_in_production(make_client, environ, status):
    assert make_client(**environ).get("/api/openapi.json").status_code == status
