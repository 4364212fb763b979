"""The same person twice: both enquiries are records of their own, and the later one says so for ninety days."""

import pytest

from tests.support.pipeline import crm_record, deliver, record_earlier


@pytest.mark.parametrize(("days", "known"), [(89.9, True), (90.1, False)])
def test_the_later_of_two_enquiries_names_the_date_of_the_one_before(context, sandbox, days, known):
    leads = [record_earlier(context, days_ago=ago, message=f"{ago} days ago") for ago in (days, 0)]
    assert deliver(context) == ["SENT"] * 2
    first, second = [crm_record(sandbox, lead) for lead in leads]
    assert first["Description"].startswith(f"{days} days ago\n")
    link = f"{first['Website_Reference']} {context.settings.zoho_url}/crm/tab/Leads/{first['id']}"
    assert ("Repeat_Enquiry" in first, second.get("Repeat_Enquiry")) == (False, True if known else None)
    assert (f"Earlier enquiry: {link}" in second["Description"]) == known
