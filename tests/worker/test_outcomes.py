"""Each class of failure has one meaning for the row and one for the gate."""

from __future__ import annotations

import pytest

from leads.lifecycle import Deferred, Delivered, Rejected, Retryable
from worker.delivery.outcomes import judge_call, judge_row, shut_for_call, shut_for_row
from worker.zoho.errors import CallFailed, FailureClass, Verdict

GATED = {FailureClass.AUTH, FailureClass.CONFIGURATION, FailureClass.RATE, FailureClass.CREDITS}
FINAL = {FailureClass.RECORD, FailureClass.REQUEST, FailureClass.DUPLICATE}


def test_a_success_needs_an_id_to_be_believed():
    assert judge_row(Verdict(True, "SUCCESS", "123", "update")) == Delivered("123", "update")
    assert isinstance(judge_row(Verdict(True, "SUCCESS", None)), Retryable)


@pytest.mark.parametrize("failure", list(FailureClass))
def test_a_rows_failure_is_final_deferred_or_retried_by_its_class(failure):
    verdict = Verdict(False, "CODE", failure=failure, field="Email", detail="detail")
    expected = Rejected if failure in FINAL else Deferred if failure in GATED else Retryable
    assert type(judge_row(verdict)) is expected
    assert (shut_for_row(verdict) is not None) == (failure in GATED)


@pytest.mark.parametrize("failure", list(FailureClass))
def test_a_failed_call_shuts_the_gate_or_spends_a_try(failure):
    failed = CallFailed(failure, "CODE", retry_after_seconds=7.0)
    order = shut_for_call(failed)
    assert (order is not None) == (failure in GATED)
    if order is not None:
        assert order.seconds == 7.0
    assert type(judge_call(failed, gate_shut=True)) is Deferred
    open_gate = judge_call(failed, gate_shut=False)
    assert type(open_gate) is (Rejected if failure is FailureClass.REQUEST else Retryable)
