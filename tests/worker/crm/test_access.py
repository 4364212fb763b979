"""No call to the CRM while it is paused, whoever makes it; `check` alone tries it all the same."""

from __future__ import annotations

import json

import pytest

from leads.lifecycle import Reason
from leads.outbox.pause import Paused, pause
from tests.support.database import rows_of
from tests.support.erasure import erase, work_off
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead
from worker.jobs.reconciliation import compare


def reconcile(context):
    (now,) = rows_of(context.engine, "SELECT now() - interval '1 day' AS since")
    with pytest.raises(Paused):
        compare(context.engine, context.access, now["since"])


@pytest.mark.parametrize("caller", [deliver, work_off, reconcile])
def test_a_pause_stops_every_call(context, sandbox, caller):
    record_lead(context.engine, LEAD)
    deliver(context)
    erase(context)
    record_lead(context.engine, LEAD)
    pause(context.engine, "zoho", Reason.PAUSED, "moving house", by="ann")
    before = sandbox.summary()["api_calls"]
    caller(context)
    assert sandbox.summary()["api_calls"] == before


def test_a_paused_comparison_says_so_and_check_may_still_call(run, sandbox):
    run("pause", "--why", "moving house", "--by", "ann")
    shown = run("reconcile")
    assert (shown.exit_code, "calls to zoho are paused (paused)" in shown.output) == (2, True)
    assert sandbox.summary()["api_calls"] == 0
    findings = json.loads(run("check", "--json").output)["findings"]
    assert {"level": "ok", "subject": "token"}.items() <= findings[1].items()
