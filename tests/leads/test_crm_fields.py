"""Whose turn it is to check the CRM's fields, and what the last check found."""

from __future__ import annotations

import pytest

from leads.crm_state import (
    FieldCheck,
    begin_field_check,
    read_field_check,
    record_field_check,
    record_missing_records,
)
from tests.support.database import change


def let_pass(engine, minutes):
    change(engine, "UPDATE crm_fields SET check_at = check_at - make_interval(mins => :minutes)", minutes=minutes)


@pytest.mark.parametrize(("minutes", "is_due"), [(59, False), (61, True)])
def test_one_worker_makes_the_check_and_one_that_failed_is_made_again_after_an_hour(engine, minutes, is_due):
    assert [begin_field_check(engine) for _ in range(2)] == [True, False]
    let_pass(engine, minutes)
    assert begin_field_check(engine) is is_due


@pytest.mark.parametrize(("hours", "is_due"), [(22.9, False), (23.1, True)])
def test_a_check_that_was_made_is_made_again_the_next_day(engine, hours, is_due):
    record_field_check(engine, [])
    let_pass(engine, round(60 * hours))
    assert begin_field_check(engine) is is_due


def test_what_was_found_is_read_again(engine):
    assert read_field_check(engine) == FieldCheck([], None, None)
    record_field_check(engine, ["Phone"])
    record_missing_records(engine, 2)
    found = read_field_check(engine)
    assert (found.missing, found.missing_records, found.checked_at is not None) == (["Phone"], 2, True)
