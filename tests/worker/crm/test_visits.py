"""An enquiry and a tap on WhatsApp from one visit: whichever the CRM gets second names the first."""

from __future__ import annotations

import json

from tests.support.pipeline import crm_record, deliver
from tests.support.samples import PAYLOAD
from worker.crm.fields import parse_fields
from worker.destinations.crm import CrmDestination

VISIT = {"sessionId": "3f0c2a52-8a43-4f0e-9a57-0b6c8f1d2e34"}
TAP = {"uniqueCode": "A1B2C", "whatsappMessage": "[A1B2C] Hi", "buttonLocation": "thank-you-page"}


def test_each_is_found_from_the_other_in_the_crm(context, sandbox, post):
    def send(path, body):
        posted = post(path, json.dumps(body | VISIT)).json
        assert deliver(context) == ["SENT"]
        return posted, crm_record(sandbox, posted["id"])

    _, first_tap = send("/api/whatsapp-click", TAP)
    lead, enquiry = send("/api/leads", PAYLOAD)
    _, second_tap = send("/api/whatsapp-click", TAP | {"uniqueCode": "D3E4F"})
    assert "Same_Visit" not in first_tap
    assert enquiry["Same_Visit"] == first_tap["Last_Name"] == "WhatsApp [A1B2C]"
    assert second_tap["Same_Visit"] == f"Enquiry {lead['reference']}"
    assert enquiry["Website_Reference"] == lead["reference"]


def test_the_advertisers_click_id_goes_out_as_the_key_that_the_crms_own_link_reads(delivery, crm, post):
    mapping = parse_fields("google_gclid=$gclid")
    body = PAYLOAD | {"googleGclid": "Cj0K", "consentChoice": {"analytics": False, "advertising": True}}
    assert post("/api/leads", json.dumps(body)).status_code == 201
    delivery.deliveries.destinations["zoho"] = CrmDestination(crm, mapping)
    assert deliver(delivery) == ["SENT"]
    (record,) = crm.records.values()
    assert record["$gclid"] == "Cj0K"
