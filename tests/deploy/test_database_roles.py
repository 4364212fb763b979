"""The site's and the workers' database role: rows, and nothing else. The migrations have a role of their own."""

import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from sqlalchemy.exc import ProgrammingError

from leads.db import REVISION
from leads.privacy.retention import retain
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.erasure import erase, let_the_watch_end, open_rows, work_off
from tests.support.pipeline import crm_record, deliver, record
from tools.sandbox import credentials
from tools.servers.postgres import migrate
from web.app import close_app, create_app
from worker.context import make_context

pytestmark = pytest.mark.slow

ROLES = Path(__file__).parents[2] / "deploy" / "postgres" / "roles.psql"
OWNER_PASSWORD, PASSWORD = "of-the-owner", "of-the-site"


@pytest.fixture(scope="module")
def server(servers_dir):
    """A cluster as the image leaves it, with the roles of roles.psql."""
    from tools.servers.postgres import EmbeddedPostgres, program

    with EmbeddedPostgres(servers_dir / "roles", durable=False) as server:
        with psycopg.connect(server.superuser_url, autocommit=True) as connection:
            connection.execute("DROP DATABASE clinic")
            connection.execute("DROP ROLE clinic")
        passwords = [f"--set=owner_password={OWNER_PASSWORD}", f"--set=password={PASSWORD}"]
        command = [program("psql"), "--no-psqlrc", "--set=ON_ERROR_STOP=1", *passwords, f"--file={ROLES}"]
        subprocess.run([*command, server.superuser_url], check=True, capture_output=True, timeout=60)
        migrate(url_of(server, "clinic_owner", OWNER_PASSWORD))
        yield server


def url_of(server, role, password):
    return f"postgresql://{role}:{password}@127.0.0.1:{urlsplit(server.superuser_url).port}/clinic"


@pytest.fixture
def environment(server, sandbox):
    return {
        "DATABASE_URL": url_of(server, "clinic", PASSWORD),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        **credentials.settings(sandbox.url),
        "FRONTEND_DIR": "no-such-build",
    }


@pytest.fixture
def context(environment):
    context = make_context(read_settings(environment))
    yield context
    context.close()


def test_a_lead_is_stored_delivered_erased_and_retained(environment, context, sandbox):
    app = create_app(read_settings(environment))
    try:
        probe = app.test_client().get("/readyz")
    finally:
        close_app(app)
    assert probe.status_code == 200
    (lead,) = record(context)
    assert deliver(context) == ["SENT"]
    assert crm_record(sandbox, lead)["Website_Event_ID"] == str(lead)
    (old,) = record(context)
    aged = "UPDATE leads SET created_at = now() - interval '3 years' WHERE id = :id"
    change(context.engine, aged, id=old)
    change(context.engine, "UPDATE crm_deliveries SET zoho_status = 'dead' WHERE id = :id", id=old)
    assert retain(context.engine, 24)["lead"] == 1
    erase(context)
    work_off(context)
    let_the_watch_end(context)
    work_off(context)
    assert open_rows(context) == 0


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "ALTER TABLE leads ADD COLUMN mine int",
        "DROP TABLE leads",
        "TRUNCATE leads",
        "COPY leads TO PROGRAM 'cat'",
        "SELECT * FROM pg_authid",
        "SET ROLE clinic_owner",
    ],
)
def test_the_site_can_do_nothing_else(context, statement):
    with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"):
        change(context.engine, statement)


def test_none_of_the_roles_is_a_superuser(context):
    found = rows_of(
        context.engine,
        "SELECT rolname FROM pg_roles WHERE rolname LIKE 'clinic%' AND (rolsuper OR rolcreaterole OR rolcreatedb)",
    )
    assert found == []


def test_the_migrations_see_which_version_the_site_and_the_workers_have(server, context):
    """A role sees little of another role's sessions, but their names (migrations/live_tables.py)."""
    named = "SELECT application_name FROM pg_stat_activity WHERE usename = 'clinic'"
    with context.engine.connect(), psycopg.connect(url_of(server, "clinic_owner", OWNER_PASSWORD)) as owner:
        assert (f"worker {REVISION}",) in owner.execute(named).fetchall()
