import pytest

from tests.tools.sandbox.conftest import lead


def test_a_list_needs_fields_and_goes_by_number_only_so_far(crm):
    crm.upsert(lead(1), lead(2))
    assert crm("GET", "Leads").json()["details"] == {"param_name": "fields"}
    beyond = crm("GET", "Leads?fields=Last_Name&page=11").json()
    assert (beyond["code"], beyond["details"]) == ("DISCRETE_PAGINATION_LIMIT_EXCEEDED", {"limit": 2000})
    page = crm("GET", "Leads?fields=Last_Name&per_page=1").json()
    assert page["data"][0].keys() == {"id", "Last_Name"}
    info = {"per_page": 1, "count": 1, "page": 1, "more_records": True, "sort_by": "id", "sort_order": "desc"}
    assert page["info"].items() >= info.items()


@pytest.mark.parametrize(
    "criteria",
    ["(Website_Event_ID:equals:event-2)", "((Last_Name:equals:Sample 2)and(City:equals:Den \\(Haag\\)))"],
)
def test_a_search_finds_the_one_lead(crm, criteria):
    crm.upsert(lead(1), lead(2, City="Den (Haag)"))
    found = crm("GET", "Leads/search", params={"criteria": criteria}).json()["data"]
    assert [record["Website_Event_ID"] for record in found] == ["event-2"]
    assert crm("GET", "Leads/search", params={"criteria": "(Last_Name:equals:nobody)"}).status_code == 204
