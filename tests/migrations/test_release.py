"""A release is one number; its migrations never change, and its database is upgraded while it runs."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import psycopg
import pytest
import yaml

from leads.db import connect_engine
from leads.outbox.claim import find_due
from leads.settings import read_settings
from leads.version import read_version
from tests.support.next_migration import NEXT, make_up
from tests.support.processes import wait_for
from tests.support.site import running_site
from tools.servers.postgres import EmbeddedPostgres, migrate
from tools.servers.server_process import ROOT

# The migrations of releases, and their hashes. A database that ran one never learns of a change: write a new one.
RELEASED = {"0100_first_release.py": "7ae954c28ace5a44a4cfd918ca7d83edcf41826a8347973c742fb02008421d7a"}
RELEASE = max(RELEASED)[:4]
# As the site of 1.0.0 stores an enquiry.
ENQUIRY = """
WITH lead AS (
    INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164)
    VALUES (gen_random_uuid(), 'Ada', 'Sample', 'ada@example.com', '+44', '07911 123456', '+447911123456')
    RETURNING id
)
INSERT INTO deliveries (id, kind) SELECT id, 'lead' FROM lead
"""


def test_the_version_is_one_number_everywhere(database_url):
    version = read_version()
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    releases = re.findall(r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert services["web"]["image"] == f"clinic-leads:{version}"
    assert json.loads((ROOT / "frontend/package.json").read_text())["version"] == version
    assert releases[0] == version
    with running_site(DATABASE_URL=database_url) as app:
        assert app.test_client().get("/healthz").json == {"ok": True, "version": version}


def test_a_released_migration_is_as_it_was():
    folder = ROOT / "migrations/versions"
    assert {name: sha256((folder / name).read_bytes()).hexdigest() for name in RELEASED} == RELEASED


@pytest.mark.slow
def test_the_database_of_a_release_is_upgraded_with_its_data_while_the_release_runs(tmp_path):
    """Up to this code's own migrations, and by one more that adds a column and an index."""
    added = (
        'op.add_column("leads", sa.Column("made_up", sa.Text()))',
        'index_concurrently("ix_made_up", "leads", ["made_up"])',
    )
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server, ThreadPoolExecutor(1) as pool:
        migrate(server.url, RELEASE)
        stored, is_over = [], threading.Event()

        def run_the_release():
            with psycopg.connect(server.url, autocommit=True, application_name=f"web {RELEASE}") as connection:
                while not is_over.wait(0.005):
                    stored.append(connection.execute(ENQUIRY).rowcount)

        def goes_on(by):
            least = len(stored) + by
            wait_for(lambda: len(stored) >= least, 30, "enquiries")

        running = pool.submit(run_the_release)
        try:
            goes_on(100)
            migrate(server.url, given=make_up(tmp_path / "next", *added))
            goes_on(100)
        finally:
            is_over.set()
        running.result()
        engine = connect_engine(read_settings({"DATABASE_URL": server.url}).database_url, pool=1, name="test")
        due = list(find_due(engine, ["zoho"], limit=len(stored) + 1))
        engine.dispose()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (NEXT,)
            assert connection.execute("SELECT count(made_up), count(*) FROM leads").fetchone() == (0, len(stored))
    assert len(due) == len(stored)
