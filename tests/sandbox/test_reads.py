import pytest

from sandbox.process import SandboxProcess
from tests.sandbox.conftest import Caller, lead


def test_a_list_needs_one_to_fifty_fields(crm):
    crm.upsert(lead(1), lead(2))
    assert crm("GET", "Leads").json()["details"] == {"param_name": "fields"}
    assert crm("GET", "Leads?fields=" + ",".join(f"f{n}" for n in range(51))).json()["code"] == "LIMIT_EXCEEDED"
    page = crm("GET", "Leads?fields=Last_Name&per_page=1").json()
    assert page["data"][0].keys() == {"id", "Last_Name"}
    info = {"per_page": 1, "count": 1, "page": 1, "more_records": True, "sort_by": "id", "sort_order": "desc"}
    assert page["info"].items() >= info.items()


def test_a_list_goes_on_by_token_and_by_number_only_so_far(crm):
    for start in range(0, 30, 10):
        crm.upsert(*(lead(start + n) for n in range(10)))
    seen, token = [], None
    while token is not None or not seen:
        page = crm(
            "GET",
            "Leads",
            params={"fields": "Last_Name", "per_page": 7, **({"page_token": token} if token else {})},
        )
        seen += [record["id"] for record in page.json()["data"]]
        token = page.json()["info"]["next_page_token"]
    assert len(seen) == 30
    assert seen == sorted(set(seen), reverse=True)
    assert crm("GET", "Leads?fields=Last_Name&page_token=nonsense").json()["code"] == "INVALID_DATA"
    beyond = crm("GET", "Leads?fields=Last_Name&page=11").json()
    assert (beyond["code"], beyond["details"]) == ("DISCRETE_PAGINATION_LIMIT_EXCEEDED", {"limit": 2000})


@pytest.mark.parametrize(
    "criteria",
    ["(Website_Event_ID:equals:event-2)", "((Last_Name:equals:Sample 2)and(City:equals:Den \\(Haag\\)))"],
)
def test_a_search_finds_the_one_lead(crm, criteria):
    crm.upsert(lead(1), lead(2, City="Den (Haag)"))
    found = crm("GET", "Leads/search", params={"criteria": criteria}).json()["data"]
    assert [record["Website_Event_ID"] for record in found] == ["event-2"]
    assert crm("GET", "Leads/search", params={"criteria": "(Last_Name:equals:nobody)"}).status_code == 204


def test_a_field_left_out_at_start_can_be_created_and_stays(tmp_path):
    label = {
        "field_label": "Website Event ID",
        "data_type": "text",
        "length": 100,
        "unique": {"case_sensitive": False},
    }
    with SandboxProcess.start(tmp_path, without_fields=["Website_Event_ID"]) as sandbox:
        crm = Caller(sandbox)
        assert crm.upsert(lead(1)).json()["details"]["api_name"] == "duplicate_check_fields"
        created = crm("POST", "settings/fields?module=Leads", json={"fields": [label]})
        assert (created.status_code, created.json()["fields"][0]["message"]) == (201, "field created")
        assert (
            crm("POST", "settings/fields?module=Leads", json={"fields": [label]}).json()["fields"][0]["code"]
            == "DUPLICATE_DATA"
        )
        assert crm.upsert(lead(1)).json()["data"][0]["action"] == "insert"
        crm.session.close()
    with SandboxProcess.start(tmp_path, sandbox.port, without_fields=["Website_Event_ID"]):
        assert crm.upsert(lead(1)).json()["data"][0]["action"] == "update"
        crm.session.close()
