"""/healthz and /readyz: the process lives, and it can keep an enquiry."""

import resource
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from leads.overview import read_overview
from leads.verdict import find_troubles
from tests.support.database import change, rows_of
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tools.servers.waiting import wait_until


@pytest.fixture
def impatient(make_client, database_url, monkeypatch):
    """A client on a database of its own, whose every question is put to it."""
    monkeypatch.setattr("web.probes.KEEP_SECONDS", 0.0)
    return make_client(DATABASE_URL=database_url, CLINIC_PHONE="+90 212 555 00 00")


def readiness(caplog):
    return [record.getMessage() for record in caplog.records if record.name == "web.probes"]


def test_an_absent_redis_is_told_and_is_no_reason_to_go_away(client, make_client, valkey):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json == {"ready": True, "database": "up", "redis": "unavailable"}
    assert make_client(REDIS_URL=valkey.url).get("/readyz").json["redis"] == "up"


@pytest.mark.parametrize("table", ["leads", "deliveries"])
def test_a_database_that_stores_nothing_makes_it_unready_with_one_line_a_change(impatient, engine, caplog, table):
    caplog.set_level("INFO")
    assert impatient.get("/readyz").status_code == 200
    change(engine, f"REVOKE INSERT ON {table} FROM CURRENT_USER")
    for _ in range(3):
        refused = impatient.get("/readyz")
        assert (refused.status_code, refused.json["ready"]) == (503, False)
    assert impatient.get("/healthz").status_code == 200
    assert impatient.post("/api/leads", json=PAYLOAD).status_code != 201
    change(engine, f"GRANT INSERT ON {table} TO CURRENT_USER")
    assert [impatient.get("/readyz").status_code for _ in range(3)] == [200, 200, 200]
    assert readiness(caplog) == [
        "not ready: an enquiry cannot be stored (InsufficientPrivilege)",
        "ready again: enquiries can be stored",
    ]
    assert rows_of(engine, "SELECT 1 FROM leads") == []  # the trial leaves none


def test_a_database_behind_the_code_is_unready_and_visitors_are_given_the_telephone(impatient, engine, caplog):
    change(engine, "ALTER TABLE leads DROP COLUMN interest")
    change(engine, "UPDATE alembic_version SET version_num = '0099'")
    assert impatient.get("/readyz").status_code == 503
    assert "run `alembic upgrade head`" in readiness(caplog)[0]
    answer = impatient.post("/api/leads", json=PAYLOAD)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "+90 212 555 00 00" in answer.json["message"]
    assert find_troubles(read_overview(engine, Path.cwd()))[0].name == "storage"


def test_a_newer_database_is_ready(impatient, engine):
    """The release before goes on working while the next one is started."""
    change(engine, "UPDATE alembic_version SET version_num = '9999'")
    assert impatient.get("/readyz").status_code == 200


def test_a_read_only_database_makes_it_unready(impatient, postgres, database_url, caplog):
    name = database_url.rpartition("/")[2]
    with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert impatient.get("/readyz").status_code == 503
    assert "ReadOnlySqlTransaction" in readiness(caplog)[0]


def test_the_database_is_not_asked_as_often_as_the_site_is(make_client, monkeypatch):
    tried = []
    monkeypatch.setattr("web.probes.storage_problem", lambda _: tried.append(1) or "")
    monkeypatch.setattr("web.probes.KEEP_SECONDS", 60.0)
    client = make_client()
    assert {client.get("/readyz").status_code for _ in range(50)} == {200}
    assert len(tried) == 1


# More than a segment of the write-ahead log has, so that only this table meets the limit on the size of files.
FILL = """
INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, message)
SELECT gen_random_uuid(), 'a', 'b', 'c', '+44', '1', '2', repeat('x', 1500) FROM generate_series(1, 12000)
"""


@pytest.mark.slow
def test_a_full_disk_makes_it_unready_while_the_database_answers(make_client, own_postgres, monkeypatch):
    """A table that may not grow stands for the full disk: what is there can be read, and nothing be added."""
    monkeypatch.setattr("web.probes.KEEP_SECONDS", 0.0)
    with psycopg.connect(own_postgres.url, autocommit=True) as connection:
        connection.execute(FILL)
        connection.execute("VACUUM FULL leads")  # no pages to spare
        (size,) = connection.execute("SELECT pg_relation_size('leads')").fetchone()
    with largest_file(size):
        restart(own_postgres)
    client = make_client(DATABASE_URL=own_postgres.url)
    # The last page of the table has room for some.
    assert any(client.get("/readyz").status_code == 503 for _ in range(50))
    assert "clinic_database_up 1.0" in metrics_of(client.application)
    restart(own_postgres)
    assert wait_until(lambda: client.get("/readyz").status_code == 200, 10)


@contextmanager
def largest_file(size):
    """What is started meanwhile can write no file beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def restart(server):
    server.stop()
    server.start()
