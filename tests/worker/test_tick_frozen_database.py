"""A PostgreSQL that swallows what it is sent: nobody waits for it without end, and nothing has to be restarted."""

from __future__ import annotations

from contextlib import closing

import pytest
from celery import Celery
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from leads.outbox.store import record_lead
from leads.settings import read_settings
from proofs.drills.relay import Relay
from tests.support.database import change, rows_of
from tests.support.processes import wait_for
from tests.support.samples import LEAD
from worker.cli.commands import operate
from worker.context import make_context
from worker.tick import Ticker

pytestmark = pytest.mark.slow

SENT = "SELECT count(*) AS n FROM crm_deliveries WHERE zoho_status = 'sent'"


@pytest.fixture
def relay(database_url, crm_environment, monkeypatch):
    """Between the product and its database; and figures that a test can wait for."""
    monkeypatch.setattr("leads.db.STATEMENT_SECONDS", 1.0)
    monkeypatch.setattr("leads.db.OVERDUE_SECONDS", 0.5)
    monkeypatch.setattr("worker.cli.database.STATEMENT_SECONDS", 1.0)
    url = make_url(database_url)
    with Relay(url.port) as relay:
        crm_environment["DATABASE_URL"] = url.set(port=relay.port).render_as_string(hide_password=False)
        yield relay


def test_a_worker_whose_connections_fell_silent_goes_on_over_new_ones(relay, crm_environment, engine, sandbox):
    settings = read_settings({**crm_environment, "CRM_TICK_SECONDS": "0.2"})
    with closing(make_context(settings)) as context:
        # Redis is away: the tick delivers by itself.
        ticker = Ticker(Celery("ticker", broker=settings.redis_url, set_as_current=False), context)
        ticker.start()
        record_lead(engine, LEAD)
        wait_for(lambda: rows_of(engine, SENT)[0]["n"] == 1, 30, "the first lead")
        relay.swallow()
        record_lead(engine, LEAD)
        wait_for(lambda: rows_of(engine, SENT)[0]["n"] == 2, 60, "the worker to go on")
        ticker.stop()
        ticker.join()
    assert sandbox.summary()["records"] == 2


def test_a_command_that_gets_no_answer_says_in_one_line_what_to_do(relay, crm_environment, engine):
    for _ in range(1001):
        record_lead(engine, LEAD)
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead', last_retry_at = now()")
    silent = []

    def swallow(text, **_):
        silent.append(text)
        relay.swallow()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("worker.cli.redrive.click.echo", swallow)  # told after each thousand
        shown = CliRunner().invoke(operate, ["redrive", "--all"], env=crm_environment)
    assert silent == ["1,000 rows so far"]
    assert shown.exit_code == 1
    assert shown.output.count("\n") == 1
    assert "PostgreSQL does not answer" in shown.output
    assert "run the command again" in shown.output
    again = CliRunner().invoke(operate, ["redrive", "--all"], env=crm_environment)
    assert again.exit_code == 0, again.output


def test_a_statement_that_takes_its_time_is_not_given_up(relay, crm_environment):
    """As long as the server may work on it, and it is the server that ends it."""
    settings = read_settings(crm_environment)
    with closing(make_context(settings)) as context:
        assert rows_of(context.engine, "SELECT pg_sleep(0.8), 1 AS n")[0]["n"] == 1
        with pytest.raises(Exception, match="statement timeout"):
            rows_of(context.engine, "SELECT pg_sleep(3)")
