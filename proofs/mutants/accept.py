"""Faults in accepting enquiries together, and in what tells them apart."""

from __future__ import annotations

from proofs.mutants.mutant import Mutant

BATCHES = "web/server/batches.py"
STORE = "leads/outbox/store.py"
TESTED = "tests/web/server/test_batches.py"

MUTANTS = (
    Mutant(
        "anothers-outcome",
        "everybody in a batch gets the first one's receipt",
        BATCHES,
        "zip(batch, outcomes, strict=True)",
        "zip(batch, outcomes[:1] * len(batch), strict=True)",
        f"{TESTED}::test_each_gets_its_own_result_or_exception",
    ),
    Mutant(
        "waiters-forgotten",
        "a batch that fails leaves those who wait without an answer",
        BATCHES,
        "                batch += self._waiting\n",
        "",
        f"{TESTED}::test_an_exception_of_the_work_is_everybodys_who_waits_and_the_next_is_tried",
    ),
    Mutant(
        "loop-ended",
        "what ends a batch ends the site",
        BATCHES,
        "except BaseException as error:  # noqa",
        "except Exception as error:  # noqa",
        f"{TESTED}::test_work_that_ends_everything_leaves_nobody_waiting_and_does_not_end_the_loop",
    ),
    Mutant(
        "neighbour-refused",
        "one row that cannot be stored refuses its whole batch",
        STORE,
        "        return [outcome for each in submissions for outcome in record_leads(engine, [each])]\n",
        "        return [error for _ in submissions]\n",
        "tests/web/test_server.py::test_one_of_a_moment_that_cannot_be_stored_refuses_no_other",
    ),
    Mutant(
        "reference-twice",
        "two leads of one millisecond have one reference",
        "leads/ids.py",
        "max(self._last + 1, time.time_ns() // _NANOS)",
        "time.time_ns() // _NANOS",
        "tests/leads/test_ids.py::test_references_are_six_digits_of_the_time_and_differ_within_a_burst",
    ),
    Mutant(
        "loop-blocked",
        "everything stands still while PostgreSQL works",
        "web/server/loop_connection.py",
        "        if is_on_loop():\n            return wait_for(waiting",
        "        if False:\n            return wait_for(waiting",
        "tests/web/server/test_loop_connection.py::test_other_requests_run_while_a_statement_does",
    ),
    Mutant(
        "counts-forgotten",
        "what Redis did not take while it was away is never added",
        "api/limits/counters.py",
        "for key, (count, seconds) in added.items():",
        "for key, (count, seconds) in ():",
        "tests/api/limits/test_counters.py::test_a_redis_that_cannot_write_is_as_good_as_away",
    ),
    Mutant(
        "lone-row-beside",
        "the second thread of a turn takes rows that must be sent alone",
        "worker/delivery/deliver.py",
        "until, alone=False) if is_free",
        "until) if is_free",
        "tests/worker/delivery/test_deliver_retries.py"
        "::test_a_turns_second_thread_leaves_rows_that_go_alone_to_the_first",
    ),
)
