"""Mutants of the worker's delivery: the call's beginning, halving, repairs, what the gate hears."""

from __future__ import annotations

from proofs.mutants.mutant import Mutant

DELIVER, SEND = "worker/delivery/deliver.py", "worker/delivery/send.py"
OUTCOMES = "worker/delivery/outcomes.py"
DEADLINE, BEGUN = "tests/worker/delivery/test_deadline.py", "tests/worker/delivery/test_begun_calls.py"
HALVING, CREDITS = "tests/worker/delivery/test_halving.py", "tests/worker/delivery/test_credits.py"

MUTANTS = (
    Mutant(
        "no-deadline",
        "a call begins however little of the lease is left",
        SEND,
        "if time.monotonic() > deadline:\n            yield",
        "if False:\n            yield",
        f"{DEADLINE}::test_no_call_begins_after_its_deadline",
    ),
    Mutant(
        "deadline-at-lease-end",
        "a call begins in the second half of the lease",
        DELIVER,
        "context.lease_seconds / 2",
        "context.lease_seconds",
        f"{DEADLINE}::test_no_call_begins_when_more_than_half_of_the_lease_is_over",
    ),
    Mutant(
        "gate-read-once",
        "a claim does not look at the gate again",
        DELIVER,
        "while_open=not permit.is_probe",
        "while_open=False",
        f"{DEADLINE}::test_nothing_is_claimed_when_the_gate_shuts_after_the_permit_was_given",
    ),
    Mutant(
        "broad-probe",
        "a probe sends a whole batch through the shut gate",
        DELIVER,
        "max_rows = 1 if permit.is_probe else",
        "max_rows = 100 if permit.is_probe else",
        f"{DEADLINE}::test_a_probe_sends_one_row_through_the_shut_gate",
    ),
    Mutant(
        "begun-call-not-recorded",
        "nothing shows that a call had begun",
        DELIVER,
        "context.worker.begin_call(call_id, alone=is_alone)",
        "pass",
        f"{BEGUN}::test_the_call_is_recorded_while_it_is_in_flight",
    ),
    Mutant(
        "company-beside-killer",
        "a row that lost two workers is sent beside other calls of its process",
        DELIVER,
        "must_be_alone = _goes_alone(claimed)",
        "must_be_alone = False",
        f"{BEGUN}::test_no_other_call_begins_while_a_row_is_sent_alone",
    ),
    Mutant(
        "killer-in-company",
        "a row that must be alone is sent although others are in flight",
        DELIVER,
        "if must_be_alone and not is_alone:",
        "if False:",
        f"{BEGUN}::test_a_row_with_company_in_its_process_waits",
    ),
    Mutant(
        "requeued-spend-credits",
        "requeued rows use the last credits",
        DELIVER,
        "requeued=not permit.credits_are_scarce",
        "requeued=True",
        f"{CREDITS}::test_requeued_rows_wait_while_credits_are_scarce",
    ),
    Mutant(
        "credits-never-forgotten",
        "an answer without credits is not reported",
        DELIVER,
        "permit.report_answer(crm.credits_left)",
        "permit.report_answer(crm.credits_left or permit.gate.credits_left)",
        f"{CREDITS}::test_retries_flow_again_when_an_answer_says_nothing_of_credits",
    ),
    Mutant(
        "duplicate-final",
        "a value that another record holds ends the row",
        SEND,
        "frozenset({FailureClass.RECORD, FailureClass.DUPLICATE})",
        "frozenset({FailureClass.RECORD})",
        f"{HALVING}::test_an_optional_field_that_belongs_to_another_record_moves_to_the_description",
    ),
    Mutant(
        "no-halving",
        "a row that breaks the call holds the others up",
        SEND,
        "return breaks and failures_left > 0 and any(",
        "return False and any(",
        f"{HALVING}::test_a_row_that_breaks_the_call_holds_no_other_row_up",
    ),
    Mutant(
        "fresh-rows-halved",
        "a server error makes many calls of one",
        SEND,
        "any(item.row.sync.retry_count for item in items)",
        "bool(items)",
        f"{HALVING}::test_a_batch_of_fresh_rows_is_not_halved_for_a_server_error",
    ),
    Mutant(
        "halving-endless",
        "an outage makes two calls a row",
        SEND,
        "breaks and failures_left > 0 and",
        "breaks and",
        f"{HALVING}::test_an_outage_makes_few_calls_for_a_batch",
    ),
    Mutant(
        "transient-halved",
        "a call that never arrived is halved",
        SEND,
        "breaks = failure.failure is FailureClass.UNKNOWN and status >= HTTPStatus.INTERNAL_SERVER_ERROR",
        "breaks = True",
        f"{HALVING}::test_a_call_that_never_arrived_is_not_halved",
    ),
    Mutant(
        "refused-request-final",
        "a request that is refused whole ends all its rows",
        SEND,
        "if failure.failure is FailureClass.REQUEST:\n        return True",
        "if failure.failure is FailureClass.REQUEST:\n        return False",
        f"{HALVING}::test_a_request_that_is_refused_whole_is_halved_at_once",
    ),
    Mutant(
        "outage-charged",
        "an outage that has shut the gate costs tries",
        OUTCOMES,
        "outcome = _without_charge(result) if has_shut else outcome",
        "outcome = outcome",
        f"{DEADLINE}::test_an_outage_costs_no_try_once_it_has_shut_the_gate",
    ),
    Mutant(
        "odd-row-is-outage",
        "a row's failure counts against a CRM that has just answered",
        OUTCOMES,
        "if _is_outage(result) and not is_answered:",
        "if _is_outage(result):",
        f"{HALVING}::test_a_row_that_breaks_calls_is_no_sign_of_an_outage_once_others_were_answered",
    ),
    Mutant(
        "no-upsert-key",
        "a row has another key in the CRM each time it is sent",
        "worker/delivery/mapping.py",
        'record[config.event_id_field] = str(row["id"])',
        'record[config.event_id_field] = str(row["next_retry_at"])',
        f"{BEGUN}::test_a_row_that_is_sent_again_updates_its_record",
    ),
)
