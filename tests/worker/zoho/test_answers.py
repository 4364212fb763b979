"""Which entries of a record's timeline are answers of a person."""

from __future__ import annotations

import pytest

from worker.zoho.answers import answers_of

STATUS = [{"api_name": "Lead_Status", "_value": {"new": "Contacted", "old": None}}]
AT = "2026-11-25T10:05:00+03:00"


def entry(module="Leads", **changes):
    return {
        "audited_time": AT,
        "action": "updated",
        "source": "crm_ui",
        "automation_details": None,
        "record": {"module": {"api_name": module}},
        "field_history": STATUS,
        **changes,
    }


@pytest.mark.parametrize(
    "found",
    [
        entry(),
        entry(source="crm_mobile"),
        entry("Calls", action="added", field_history=None),
        entry("Calls", action="added", field_history=None, source="phonebrifge_api"),
        entry("Calls", action="added", field_history=None, source="crm_api"),
        entry(action="converted", source="convert", field_history=None),
    ],
)
def test_a_call_a_status_and_a_conversion_by_a_person(found):
    assert [f"{at:%H:%M %z}" for at in answers_of([found])] == ["10:05 +0300"]


@pytest.mark.parametrize(
    "found",
    [
        entry(source="crm_api"),
        entry(source="workflow"),
        entry(source="import"),
        entry(automation_details={"type": "workflow_rule"}),
        entry("Calls", action="added", field_history=None, source="workflow"),
        entry("Notes", action="added", field_history=None),
        entry(field_history=[{"api_name": "Owner"}]),
        entry(action="added", field_history=None),
        entry(audited_time="2026-11-25T10:05:00"),
        entry(audited_time=None),
        entry(record=None, field_history="?"),
        entry(record={"module": None}, field_history=None),
        {},
    ],
)
def test_what_a_program_did_or_what_cannot_be_read_is_none(found):
    assert answers_of([found]) == []
