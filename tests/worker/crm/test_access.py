"""No call to the CRM without a permit: while the gate is shut, beyond the limit, or with the last credits."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import pytest
from click.testing import CliRunner
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.permit import CallLimits, NotPermitted
from tests.support.slots import call_slot

from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from tests.support.database import rows_of
from tests.support.pipeline import deliver
from tests.support.samples import LEAD
from worker.cli.commands import operate
from worker.jobs.erasure import process_erasures
from worker.jobs.reconciliation import compare

LIMIT = 8


def deliver_one(context):
    return deliver(context)


def erase_one(context):
    return process_erasures(context.engine, context.access, may_continue=lambda: True)


def reconcile(context):
    (now,) = rows_of(context.engine, "SELECT now() - interval '1 day' AS since")
    with pytest.raises(NotPermitted):
        compare(context.engine, context.access, now["since"])


CALLERS = [deliver_one, erase_one, reconcile]


@pytest.fixture
def work(context):
    """A row for each caller to call about."""
    erased = record_lead(context.engine, {**LEAD, "email": "gone@example.com"})
    deliver_one(context)
    erase_person(context.engine, Person(email="gone@example.com"), by="ann", key="")
    record_lead(context.engine, LEAD)
    return erased


@pytest.mark.parametrize("caller", CALLERS)
def test_a_pause_stops_every_call(context, sandbox, work, caller):
    shut_gate(context.engine, Reason.PAUSED, "moving house", by="ann")
    before = sandbox.summary()["api_calls"]
    caller(context)
    assert sandbox.summary()["api_calls"] == before


@pytest.mark.slow
@pytest.mark.parametrize("caller", CALLERS)
def test_no_call_goes_beyond_the_concurrency_limit(context, sandbox, work, caller, monkeypatch):
    monkeypatch.setattr("worker.jobs.reconciliation.SLOT_PATIENCE", 0.0)
    before = sandbox.summary()["api_calls"]
    with ExitStack() as stack:
        for _ in range(LIMIT):
            assert stack.enter_context(call_slot(context.engine, Lane.FRESH, cap=LIMIT, seconds=60.0))
        limits = CallLimits(LIMIT, 60.0)
        caller(replace(context, access=replace(context.access, limits=limits)))
    assert sandbox.summary()["api_calls"] == before


def test_waiting_for_a_slot_ends_when_one_is_free(context):
    def wait(patience):
        with context.access.permitted(patience=patience) as crm:
            return crm is context.access.crm

    with ThreadPoolExecutor(1) as pool, ExitStack() as stack:
        for _ in range(LIMIT):
            stack.enter_context(call_slot(context.engine, Lane.FRESH, cap=LIMIT, seconds=60.0))
        with pytest.raises(NotPermitted, match="busy"):
            wait(0.2)
        waiting = pool.submit(wait, 20.0)
        stack.close()
        assert waiting.result(30)


def test_a_paused_comparison_says_so_and_check_may_still_call(context, sandbox, crm_environment):
    def run(*words):
        return CliRunner().invoke(operate, list(words), env=crm_environment)

    run("pause", "--why", "moving house", "--by", "ann")
    shown = run("reconcile")
    assert (shown.exit_code, "the gate is shut (paused)" in shown.output) == (2, True)
    assert sandbox.summary()["api_calls"] == 0
    assert {"level": "ok", "subject": "token"}.items() <= json.loads(run("check", "--json").output)["findings"][
        1
    ].items()
