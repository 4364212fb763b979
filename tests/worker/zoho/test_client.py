"""The client's other calls: finding, deleting, fields, the organisation; and its hosts."""

from uuid import UUID

import pytest

from worker.crm.port import CallFailed, CustomField, FailureClass
from worker.zoho.config import DATA_CENTERS, urls_for


def test_a_record_is_found_by_its_event_id_and_deleted(crm, make_client, make_lead):
    client, lead = make_client(), make_lead()
    written = client.upsert(lead, call_id="one")
    event_id = UUID(lead["Website_Event_ID"])
    assert client.find(event_id, call_id="f") == [written.record_id]
    assert client.delete(written.record_id, call_id="erasure").ok
    assert client.find(event_id, call_id="g") == []
    assert crm.records() == []
    assert crm.calls(kind="api", method="DELETE")[0]["request_id"] == "erasure"


def test_an_id_that_is_none_is_not_sent(crm, make_client):
    client = make_client()
    for call in (client.delete, client.purge):
        for found in ("1/../2", ""):
            with pytest.raises(ValueError, match="digits"):
                call(found, call_id="c")
    assert crm.calls() == []


def test_fields_are_read_with_length_and_uniqueness(make_client):
    found = {field.api_name: field for field in make_client().fields()}
    event_id, last_name = found["Website_Event_ID"], found["Last_Name"]
    assert (event_id.unique, event_id.data_type) == (True, "text")
    assert (last_name.unique, last_name.length) == (False, 80)


def test_fields_of_a_module_that_is_hidden_are_a_matter_of_configuration(crm, make_client):
    crm.faults(no_permission={"path": "/settings/fields"})
    with pytest.raises(CallFailed) as failed:
        make_client().fields()
    assert failed.value.failure is FailureClass.CONFIGURATION


@pytest.mark.parametrize(
    "spec",
    [
        CustomField("Shoe_Size", "Shoe Size", "text", 255, unique=True),
        CustomField("Long_Story", "Long Story", "textarea", 2000),
        CustomField("Seen_At", "Seen At", "datetime", 0),
    ],
)
def test_a_field_is_created_as_specified(make_client, spec):
    client = make_client()
    assert client.create_field(spec).ok
    made = next(field for field in client.fields() if field.api_name == spec.name)
    assert (made.data_type, made.unique) == (spec.data_type, spec.unique)
    assert made.length >= spec.length


def test_the_organisation_and_the_scopes_are_told(make_client):
    client = make_client()
    assert client.organisation().name == "Sandbox Clinic"
    assert "ZohoCRM.modules.ALL" in client.probe()


def test_canada_breaks_the_pattern():
    assert urls_for("ca") == ("https://accounts.zohocloud.ca", "https://www.zohoapis.ca")


def test_every_data_centre_has_two_hosts_over_tls():
    assert len(DATA_CENTERS) == 10
    assert all(
        url.startswith("https://") and not url.endswith("/") for pair in DATA_CENTERS.values() for url in pair
    )


def test_an_unknown_data_centre_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'XX' .* US, EU, IN, AU, JP, CN, CA, SA, UK, AE"):
        urls_for("XX")
