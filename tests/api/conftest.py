"""An application over a real database, a client, and a look into the tables."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from psycopg.rows import dict_row

from tests.support.samples import HOURS, PAYLOAD
from tests.support.site import running_site


@pytest.fixture(scope="module")
def app(module_database_url: str) -> Iterator[Flask]:
    with running_site(DATABASE_URL=module_database_url) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def site_of(module_database_url: str, tmp_path: Path) -> Iterator[Callable[..., FlaskClient]]:
    """A client of a site that is open every day, and whose build says this of the clinic."""
    with ExitStack() as stack:

        def start(clinic: dict[str, Any], **environ: str) -> FlaskClient:
            (tmp_path / "clinic.json").write_text(json.dumps({"hours": HOURS, "treatments": {}, **clinic}))
            site = running_site(DATABASE_URL=module_database_url, FRONTEND_DIR=str(tmp_path), **environ)
            return stack.enter_context(site).test_client()

        yield start


@pytest.fixture
def lead() -> dict[str, Any]:
    return dict(PAYLOAD)


@pytest.fixture
def query(module_database_url: str) -> Callable[..., list[dict[str, Any]]]:
    def run(sql: str, *parameters: object) -> list[dict[str, Any]]:
        with psycopg.connect(module_database_url, row_factory=dict_row) as connection:
            return connection.execute(sql, parameters).fetchall()

    return run


@pytest.fixture
def stored(query: Callable[..., list[dict[str, Any]]]) -> Callable[[str], dict[str, Any]]:
    """The lead with an id."""
    sql = "SELECT * FROM leads JOIN crm_deliveries USING (id) WHERE id = %s"
    return lambda lead_id: query(sql, lead_id)[0]
