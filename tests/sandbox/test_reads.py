import pytest

from sandbox.process import SandboxProcess
from tests.sandbox.conftest import Caller, lead


def test_a_record_is_read_whole_by_id(crm):
    made = crm.insert(lead(1)).json()["data"][0]["details"]["id"]
    record = crm("GET", f"Leads/{made}").json()["data"][0]
    assert (record["Last_Name"], record["Full_Name"], record["City"]) == ("Sample 1", "Sample 1", None)
    assert crm("GET", "Leads/488800000000199999").status_code == 204


def test_a_list_needs_one_to_fifty_fields(crm):
    crm.insert(lead(1), lead(2))
    assert crm("GET", "Leads").json()["details"] == {"param_name": "fields"}
    assert crm("GET", "Leads?fields=" + ",".join(f"f{n}" for n in range(51))).json()["code"] == "LIMIT_EXCEEDED"
    page = crm("GET", "Leads?fields=Last_Name&per_page=1").json()
    assert page["data"][0].keys() == {"id", "Last_Name"}
    info = {"per_page": 1, "count": 1, "page": 1, "more_records": True, "sort_by": "id", "sort_order": "desc"}
    assert page["info"].items() >= info.items()


def test_a_list_goes_on_by_token_and_by_number_only_so_far(crm):
    for start in range(0, 30, 10):
        crm.insert(*(lead(start + n) for n in range(10)))
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
    beyond = crm("GET", "Leads?fields=Last_Name&page=11").json()
    assert (beyond["code"], beyond["details"]) == ("DISCRETE_PAGINATION_LIMIT_EXCEEDED", {"limit": 2000})
    assert crm("GET", "Leads?fields=Last_Name&page_token=nonsense").json()["code"] == "INVALID_DATA"


def test_deleted_records_are_listed_by_id_and_nowhere_else(crm):
    made = crm.insert(lead(1), lead(2)).json()["data"][0]["details"]["id"]
    assert crm("GET", "Leads/deleted?type=all").status_code == 204
    crm("DELETE", f"Leads/{made}")
    (gone,) = crm("GET", "Leads/deleted?type=all").json()["data"]
    assert (gone["id"], gone["type"]) == (made, "recycle")
    assert "Email" not in gone
    assert len(crm("GET", "Leads?fields=id").json()["data"]) == 1


@pytest.mark.parametrize(
    "params",
    [
        {"criteria": "(Website_Event_ID:equals:event-2)"},
        {"criteria": "((Last_Name:starts_with:Sample)and(City:equals:Den \\(Haag\\)))"},
        {"criteria": "(Website_Event_ID:in:event-2,event-9)"},
        {"email": "SAMPLE2@example.com"},
        {"phone": "+31205550199"},
        {"word": "Haag"},
    ],
)
def test_a_search_finds_the_one_lead(crm, params):
    crm.insert(lead(1), lead(2, City="Den (Haag)", Phone="+31205550199"))
    found = crm("GET", "Leads/search", params=params).json()["data"]
    assert [record["Website_Event_ID"] for record in found] == ["event-2"]


def test_a_search_that_finds_nothing_is_204_without_a_body(crm):
    reply = crm("GET", "Leads/search", params={"word": "nobody"})
    assert (reply.status_code, reply.content) == (204, b"")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "Nothing", 400, "INVALID_MODULE"),
        ("GET", "settings/nothing", 404, "INVALID_URL_PATTERN"),
        ("GET", "Leads/some/thing", 404, "INVALID_URL_PATTERN"),
        ("PATCH", "Leads/upsert", 400, "INVALID_REQUEST_METHOD"),
        ("GET", "settings/fields", 400, "REQUIRED_PARAM_MISSING"),
        ("GET", "settings/fields?module=Nothing", 400, "INVALID_MODULE"),
    ],
)
def test_a_wrong_address_is_answered_as_zoho_does(crm, method, path, status, code):
    reply = crm(method, path)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


def test_the_settings_endpoints_answer(crm):
    assert crm("GET", "users?type=CurrentUser").json()["users"][0]["id"]
    assert crm("GET", "org").json()["org"][0]["zgid"]
    assert "Leads" in {module["api_name"] for module in crm("GET", "settings/modules").json()["modules"]}
    assert crm("GET", "settings/layouts?module=Leads").json()["layouts"][0]["name"] == "Standard"
    assert crm("GET", "settings/automation/assignment_rules?module=Leads").json()["assignment_rules"][0]["id"]
    assert crm("GET", "settings/duplicate_check_preference?module=Leads").status_code == 204


def test_the_event_id_field_is_unique_and_fits(crm):
    fields = {field["api_name"]: field for field in crm("GET", "settings/fields?module=Leads").json()["fields"]}
    event = fields["Website_Event_ID"]
    assert (event["data_type"], event["length"], event["unique"]) == ("text", 100, {"case_sensitive": False})
    assert [name for name, field in fields.items() if field["system_mandatory"]] == ["Last_Name"]
    assert fields["Landing_URL"]["length"] == 2000


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


def test_at_most_five_fields_are_created_at_once(crm):
    fields = [{"field_label": f"Extra {n}", "data_type": "text"} for n in range(6)]
    assert crm("POST", "settings/fields?module=Leads", json={"fields": fields}).status_code == 400
    mixed = crm(
        "POST",
        "settings/fields?module=Leads",
        json={"fields": [*fields[:1], {"field_label": "x", "data_type": "odd"}]},
    )
    assert (mixed.status_code, mixed.json()["fields"][1]["details"]["api_name"]) == (207, "data_type")
