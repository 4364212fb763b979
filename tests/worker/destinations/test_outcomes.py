"""Each class of failure has one meaning for the row and one for the gate."""

from __future__ import annotations

import pytest

from leads.lifecycle import Deferred, Delivered, Rejected, Retryable
from worker.crm.port import CallFailed, FailureClass, RowResult
from worker.destinations.outcomes import outcome_of_call, outcome_of_row, shut_for

GATED = {FailureClass.AUTH, FailureClass.CONFIGURATION, FailureClass.RATE, FailureClass.CREDITS}
FINAL = {FailureClass.RECORD, FailureClass.REQUEST, FailureClass.DUPLICATE}


def test_a_success_needs_an_id_to_be_believed():
    assert outcome_of_row(RowResult(True, "SUCCESS", "123", "update")) == Delivered("123", "update")
    assert outcome_of_row(RowResult(True, "FOUND", "123")) == Delivered("123", code="FOUND")
    assert isinstance(outcome_of_row(RowResult(True, "SUCCESS", None)), Retryable)


@pytest.mark.parametrize("failure", list(FailureClass))
def test_a_rows_failure_is_final_deferred_or_retried_by_its_class(failure):
    result = RowResult(False, "CODE", failure=failure, field="Email", detail="detail")
    expected = Rejected if failure in FINAL else Deferred if failure in GATED else Retryable
    assert type(outcome_of_row(result)) is expected
    assert (shut_for(result) is not None) == (failure in GATED)


@pytest.mark.parametrize("failure", list(FailureClass))
def test_a_failed_call_shuts_the_gate_or_spends_a_try(failure):
    failed = CallFailed(failure, "CODE", retry_after_seconds=7.0)
    order = shut_for(failed)
    assert (order is not None) == (failure in GATED)
    if order is not None:
        assert order.seconds == 7.0
    expected = Deferred if failure in GATED else Rejected if failure is FailureClass.REQUEST else Retryable
    assert type(outcome_of_call(failed)) is expected
