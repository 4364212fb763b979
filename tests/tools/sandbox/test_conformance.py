"""Zoho's own Python SDK, unchanged, against the sandbox. Its quirks stay in this module."""

from datetime import UTC, datetime

import pytest
from zohocrmsdk.src.com.zoho.api.authenticator import OAuthToken
from zohocrmsdk.src.com.zoho.api.authenticator.store import FileStore
from zohocrmsdk.src.com.zoho.crm.api import HeaderMap, Initializer, ParameterMap
from zohocrmsdk.src.com.zoho.crm.api import record as sdk
from zohocrmsdk.src.com.zoho.crm.api.dc import DataCenter
from zohocrmsdk.src.com.zoho.crm.api.sdk_config import SDKConfig
from zohocrmsdk.src.com.zoho.crm.api.util import Choice

from tools.sandbox import credentials


@pytest.fixture
def leads(sandbox, tmp_path):
    environment = DataCenter.Environment(sandbox.url, f"{sandbox.url}/oauth/v2/token", sandbox.url)
    token = OAuthToken(
        client_id=credentials.CLIENT_ID,
        client_secret=credentials.CLIENT_SECRET,
        refresh_token=credentials.REFRESH_TOKEN,
    )
    Initializer.initialize(
        environment=environment,
        token=token,
        store=FileStore(str(tmp_path / "tokens.txt")),
        sdk_config=SDKConfig(auto_refresh_fields=False, pick_list_validation=True),
        resource_path=str(tmp_path),
    )
    return sdk.RecordOperations("Leads")


def record(number=None, **fields):
    made = sdk.Record()
    if number is not None:
        fields = {"Last_Name": f"Sample {number}", "Website_Event_ID": f"event-{number}", **fields}
    for name, value in fields.items():
        made.add_key_value(name, value)
    return made


def body(*records, by=None):
    wrapper = sdk.BodyWrapper()
    wrapper.set_data(list(records))
    if by:
        wrapper.set_duplicate_check_fields(by)
    return wrapper


def items(response):
    assert response is not None
    return response.get_object().get_data()


def insert(leads, *records):
    response = leads.upsert_records(body(*records, by=["Website_Event_ID"]), HeaderMap())
    assert response.get_status_code() == 200
    return [item.get_details()["id"] for item in items(response)]


def test_the_sdk_starts_and_reads_the_fields(leads, sandbox):
    insert(leads, record(1))
    paths = [(call["path"], call["query"]) for call in sandbox.calls()]
    assert [path for path, _ in paths[:3]] == ["/oauth/v2/token", "/crm/v8/users", "/crm/v8/org"]
    asked = [query for path, query in paths if path.endswith("settings/fields")]
    assert asked == ["module=Leads"]
    assert all(call["status"] in {200, 201} for call in sandbox.calls())


def test_an_upsert_repeated_updates_the_same_record(leads, sandbox):
    at = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
    seen = []
    for _ in range(2):
        response = leads.upsert_records(
            body(record(1, Lead_Source=Choice("Website"), Submitted_At=at), by=["Website_Event_ID"]), HeaderMap()
        )
        [item] = items(response)
        assert isinstance(item, sdk.SuccessResponse)
        assert (response.get_status_code(), item.get_code().get_value()) == (200, "SUCCESS")
        seen.append((item.get_action().get_value(), item.get_duplicate_field(), item.get_details()["id"]))
    assert seen == [("insert", None, seen[0][2]), ("update", "Website_Event_ID", seen[0][2])]
    [stored] = sandbox.records()
    assert (stored["Lead_Source"], datetime.fromisoformat(stored["Submitted_At"])) == ("Website", at)


def test_get_list_and_search_give_records_back(leads):
    insert(leads, record(1, Email="sample1@example.com"), record(2))
    params = ParameterMap()
    params.add(sdk.GetRecordsParam.fields, "Last_Name,Email")
    assert {found.get_key_value("Last_Name") for found in items(leads.get_records(params, HeaderMap()))} == {
        "Sample 1",
        "Sample 2",
    }
    params = ParameterMap()
    params.add(sdk.SearchRecordsParam.criteria, "(Website_Event_ID:equals:event-2)")
    assert [found.get_key_value("Last_Name") for found in items(leads.search_records(params, HeaderMap()))] == [
        "Sample 2"
    ]
    params = ParameterMap()
    params.add(sdk.SearchRecordsParam.criteria, "(Website_Event_ID:equals:nobody)")
    assert leads.search_records(params, HeaderMap()).get_status_code() == 204
