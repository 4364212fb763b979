"""From the consent in a POST to the stored columns and on to the fields of the CRM's record, as a table."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tests.support.pipeline import check_post
from tests.support.samples import PAYLOAD

CONSENT = {
    "yes to one": (
        {
            "consentVersion": "2026-11",
            "consentChoice": {"analytics": True, "advertising": False},
            "consentAt": "2026-11-21T09:30:00+03:00",
            "marketingOptIn": True,
            "marketingVersion": "2026-11-21",
        },
        {
            "consent_version": "2026-11",
            "consent_choice": {"analytics": True, "advertising": False},
            "consent_at": datetime(2026, 11, 21, 6, 30, tzinfo=UTC),
            "marketing_opt_in": True,
            "marketing_version": "2026-11-21",
        },
        {
            "Consent_Version": "2026-11",
            "Consent_Choice": "advertising no, analytics yes",
            "Consent_At": "2026-11-21T06:30:00+00:00",
            "Marketing_Opt_In": True,
        },
    ),
    "nothing chosen": (
        {},
        {"consent_version": None, "consent_choice": None, "consent_at": None, "marketing_opt_in": False},
        {"Consent_Version": None, "Consent_Choice": None, "Consent_At": None, "Marketing_Opt_In": None},
    ),
    "only true is a yes": (
        {"consentChoice": {"analytics": "true", "advertising": True}, "marketingOptIn": "true"},
        {"consent_choice": {"analytics": False, "advertising": True}, "marketing_opt_in": False},
        {"Consent_Choice": "advertising yes, analytics no", "Marketing_Opt_In": None},
    ),
    "junk is no consent": (
        {"consentVersion": "v" * 99, "consentChoice": "all", "consentAt": "yesterday", "marketingOptIn": 1},
        {"consent_version": "v" * 64, "consent_choice": None, "consent_at": None, "marketing_opt_in": False},
        {"Consent_Version": "v" * 64, "Consent_Choice": None, "Consent_At": None, "Marketing_Opt_In": None},
    ),
    "a clock that cannot be": ({"consentAt": 1e308}, {"consent_at": None}, {"Consent_At": None}),
}


@pytest.mark.parametrize("case", CONSENT)
def test_a_leads_consent_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = CONSENT[case]
    check_post(context, sandbox, "/api/leads", json.dumps(PAYLOAD | sent), post, stored, fields)
