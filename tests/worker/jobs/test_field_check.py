"""The daily check of the CRM's fields: one worker makes it, and what it finds is told everywhere."""

import pytest

from leads.crm_state import read_field_check
from leads.ids import short_id
from leads.lifecycle import Reason
from leads.outbox.pause import pause
from tests.support.database import change, rows_of
from tests.support.pipeline import deliver, record
from tools.sandbox.process import SandboxProcess
from worker.crm.fields import DEFAULT_FIELDS, custom_fields, needed_fields
from worker.jobs.reconciliation import check_fields

FIELDS = custom_fields(DEFAULT_FIELDS)
DUE = "UPDATE crm_fields SET check_at = now()"


def minutes_to_next(engine):
    (row,) = rows_of(engine, "SELECT extract(epoch FROM check_at - now())::float8 / 60 AS minutes FROM crm_fields")
    return row["minutes"]


def test_a_field_deleted_in_the_crm_is_told_within_a_day(context, make_context, sandbox, tmp_path, caplog):
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine).missing == []
    assert 22 * 60 < minutes_to_next(context.engine) < 24 * 60
    change(context.engine, "UPDATE crm_fields SET check_at = check_at - interval '1 day'")  # a day later
    with SandboxProcess.start(tmp_path, without_fields=["UTM_Source", "Page_URL"]) as poorer:
        change(context.engine, "UPDATE crm_token SET next_mint_at = now()")  # this sandbox knows no earlier token
        later = make_context(ZOHO_URL=poorer.url)
        check_fields(later.access, FIELDS)
    found = read_field_check(context.engine)
    assert sorted(found.missing) == ["Page_URL", "UTM_Source"]
    assert found.checked_at is not None
    assert "2 fields are missing in the CRM or do not fit" in caplog.text


def test_what_an_administrator_or_zoho_changed_is_told_until_it_is_mended(context, sandbox, run):
    changed = {"read_only_field": {"field": "UTM_Source"}, "renamed_choice": {}}
    sandbox.faults(**changed, limits={"phone_unique": True, "email_unique": True})
    check_fields(context.access, needed_fields(DEFAULT_FIELDS))
    assert sorted(read_field_check(context.engine).missing) == ["Lead_Source", "Phone", "UTM_Source"]
    assert "Lead_Source" in run("status").output
    # The command to which the alarm sends operators mends nothing, so it must not end the alarm either.
    done = run("check")
    assert (done.exit_code, "Phone" in done.output) == (1, True)
    assert sorted(read_field_check(context.engine).missing) == ["Lead_Source", "Phone", "UTM_Source"]


AN_HOUR_AGO = "UPDATE crm_deliveries SET zoho_sent_at = now() - interval '1 hour'"


@pytest.mark.parametrize("trouble", ["overwritten", "gone"])
def test_a_sent_row_without_its_record_is_told(context, sandbox, trouble, caplog):
    ids = record(context, 3)
    deliver(context)
    change(context.engine, AN_HOUR_AGO)
    (found,) = sandbox.records(Website_Event_ID=str(ids[0]))
    if trouble == "overwritten":
        context.access.crm.update(found["id"], {"Website_Event_ID": None}, call_id="u")
    else:
        sandbox.act("change", found["id"], Website_Event_ID="of another system")
        gone = "UPDATE crm_deliveries SET zoho_record_id = '488800000000999999' WHERE id = :id"
        change(context.engine, gone, id=ids[0])
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine).missing_records == 1
    assert short_id(ids[0]) in caplog.text


def test_records_that_staff_converted_or_deleted_are_not_missed(context, sandbox):
    record(context, 3)
    deliver(context)
    change(context.engine, AN_HOUR_AGO)
    deleted, converted, _ = [found["id"] for found in sandbox.records()]
    sandbox.act("convert", converted)
    context.access.crm.delete(deleted, call_id="d")
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine).missing_records == 0


@pytest.mark.parametrize("trouble", ["paused", "refused"])
def test_a_check_that_fails_keeps_what_was_found_and_is_made_again(context, sandbox, trouble, caplog):
    check_fields(context.access, FIELDS)
    before = read_field_check(context.engine)
    change(context.engine, DUE)
    if trouble == "paused":
        pause(context.engine, "zoho", Reason.PAUSED, "holiday", by="ann")
    else:
        sandbox.faults(scope_mismatch={"path": "/settings/fields"})
    check_fields(context.access, FIELDS)
    assert read_field_check(context.engine) == before
    assert 50 < minutes_to_next(context.engine) <= 60
    assert "could not be checked" in caplog.text
