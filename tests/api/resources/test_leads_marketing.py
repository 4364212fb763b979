"""The box for marketing messages: a yes is stored with the wording it was given to, and only `true` is a yes."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sent", "opted", "version"),
    [
        ({}, False, None),
        ({"marketingOptIn": True, "marketingVersion": "2026-11-21"}, True, "2026-11-21"),
        ({"marketingOptIn": "yes"}, False, None),
        ({"marketingOptIn": True, "marketingVersion": "v" * 99}, True, "v" * 64),
    ],
)
def test_a_yes_to_marketing_is_stored_with_its_wording(client, lead, stored, sent, opted, version):
    answer = client.post("/api/leads", json=lead | sent)
    assert answer.status_code == 201
    row = stored(answer.json["id"])
    assert (row["marketing_opt_in"], row["marketing_version"]) == (opted, version)
