"""The daily check of the CRM's fields: one worker makes it, and what it finds is told everywhere."""

from __future__ import annotations

from contextlib import closing

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from leads.crm_state.fields import read_field_check
from leads.outbox.gate import Reason, shut_gate
from leads.settings import read_settings
from sandbox.process import SandboxProcess
from tests.support.database import change, rows_of
from web.metrics.outbox import OutboxCollector
from web.probes import database_probe
from worker.app import app
from worker.context import make_context
from worker.crm.fields import MappingConfig, custom_fields
from worker.jobs.field_check import check_fields
from worker.tick import Ticker

FIELDS = custom_fields(MappingConfig())
DUE = "UPDATE crm_fields SET check_at = now()"


def looked(sandbox):
    return len(sandbox.calls(path="/crm/v8/settings/fields"))


def minutes_to_next(engine):
    (row,) = rows_of(engine, "SELECT extract(epoch FROM check_at - now())::float8 / 60 AS minutes FROM crm_fields")
    return row["minutes"]


def test_a_field_deleted_in_the_crm_is_told_within_a_day(context, crm_environment, sandbox, tmp_path, caplog):
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine).missing == []
    assert 22 * 60 < minutes_to_next(context.engine) < 24 * 60
    change(context.engine, "UPDATE crm_fields SET check_at = check_at - interval '1 day'")  # a day later
    with SandboxProcess.start(tmp_path, without_fields=["UTM_Source", "Page_URL"]) as poorer:
        change(context.engine, "UPDATE crm_token SET next_mint_at = now()")  # this sandbox knows no earlier token
        environment = {**crm_environment, "ZOHO_ACCOUNTS_URL": poorer.url, "ZOHO_API_URL": poorer.url}
        with closing(make_context(read_settings(environment))) as later:
            check_fields(later.access, FIELDS)
    found = read_field_check(context.engine)
    assert sorted(found.missing) == ["Page_URL", "UTM_Source"]
    assert found.checked_at is not None
    assert "2 fields are missing in the CRM or do not fit" in caplog.text
    registry = CollectorRegistry()
    registry.register(OutboxCollector(context.engine, database_probe(context.engine)))
    assert "clinic_crm_fields_missing 2.0" in generate_latest(registry).decode()


def test_a_number_that_became_unique_is_told(context, sandbox):
    sandbox.faults(limits={"phone_unique": True, "email_unique": True})
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine).missing == ["Phone"]


def test_one_worker_makes_it(context, crm_environment, sandbox):
    with closing(make_context(read_settings(crm_environment))) as other:
        for worker in (context, other, context):
            check_fields(worker.access, FIELDS)
    assert looked(sandbox) == 1


@pytest.mark.parametrize("trouble", ["paused", "refused"])
def test_a_check_that_fails_keeps_what_was_found_and_is_made_again(context, sandbox, trouble, caplog):
    check_fields(context.access, FIELDS)
    before = read_field_check(context.engine)
    change(context.engine, DUE)
    if trouble == "paused":
        shut_gate(context.engine, Reason.PAUSED, "holiday", by="ann")
    else:
        sandbox.faults(scope_mismatch={"path": "/settings/fields"})
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine) == before
    assert 50 < minutes_to_next(context.engine) <= 60
    assert "could not be checked" in caplog.text


def test_a_tick_makes_it_but_not_the_first(context, sandbox):
    ticker = Ticker(app, context)
    ticker.tick()
    assert looked(sandbox) == 0
    ticker._check_at = 0.0
    ticker.tick()
    assert looked(sandbox) == 1
    assert read_field_check(context.engine).checked_at is not None
    change(context.engine, DUE)
    ticker.tick()
    assert looked(sandbox) == 1  # a worker looks for what is due once a minute
