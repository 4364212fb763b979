"""A price plan with an enquiry: worked out again here, kept with the lead, and never a reason to lose one."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.support.plan import DATA

SAID = "list=home&about=several&missing=16,17&replace=24&xray=yes&version=0a1b2c3d"


@pytest.fixture
def site(site_of):
    return site_of({"treatments": {"all-on-4": "All-on-4"}, "plan": DATA})


def test_a_plan_is_kept_with_sums_of_our_own(site, lead, stored):
    receipt = site.post("/api/leads", json={**lead, "plan": f"{SAID}&sum=1&estimate=1"}).json
    row = stored(receipt["id"])
    assert row["plan"] == {
        "list": "home",
        "version": "0a1b2c3d",
        "seen": None,
        "about": "several",
        "topic": "Several teeth are missing",
        "missing": [16, 17],
        "replace": [24],
        "xray": "yes",
        "treatment": "Implants, Crowns",
        "parts": [
            {"title": "Implants", "count": 3, "price": 175},
            {"title": "Abutment", "count": 3, "price": None},
            {"title": "Crowns", "count": 3, "price": 160},
        ],
        "estimate": 1005,
        "currency": "GBP",
    }
    assert row["interest"] == "Implants, Crowns"


@pytest.mark.parametrize(
    ("said", "interest", "known"),
    [
        (SAID, "Implants, Crowns", ["xray"]),
        ("list=home&about=arch&missing=16&xray=unsure", "All-on-4", []),
        ("list=home&about=unsure&xray=no", "does not know yet", ["xray"]),
        (None, None, []),
    ],
)
def test_what_the_plan_has_said_is_not_asked_again(site, lead, said, interest, known):
    details = site.post("/api/leads", json={**lead, "plan": said}).json["details"]
    assert (details["interest"], details["known"]) == (interest, known)


@pytest.mark.parametrize(
    "plan", [None, "", "nonsense", "list=nowhere&about=several", "x" * 5000, 12, ["16"], {"a": 1}]
)
def test_nonsense_costs_no_enquiry(site, lead, stored, plan):
    answer = site.post("/api/leads", json={**lead, "plan": plan})
    assert answer.status_code == 201
    row = stored(answer.json["id"])
    assert (row["plan"], row["interest"]) == (None, None)


def test_without_a_plan_in_the_build_an_enquiry_is_what_it_was(client, lead, stored):
    answer = client.post("/api/leads", json={**lead, "plan": SAID})
    assert answer.status_code == 201
    assert stored(answer.json["id"])["plan"] is None


def test_a_repeat_of_the_press_gets_the_same_receipt_and_another_plan_is_another_enquiry(site, lead):
    key = {"Idempotency-Key": str(uuid4())}
    first, second = (site.post("/api/leads", json={**lead, "plan": SAID}, headers=key) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json == second.json
    assert site.post("/api/leads", json={**lead, "plan": SAID.replace("24", "25")}, headers=key).status_code == 409


@pytest.mark.parametrize(
    ("said", "asked"),
    [(SAID, "&known=interest-xray"), ("list=home&about=bone", "&known=interest"), ("", "")],
)
def test_a_form_without_a_script_brings_it_too(site, lead, stored, query, said, asked):
    answer = site.post("/enquiry", data={**lead, "plan": said})
    assert answer.status_code == 303
    token = answer.location.partition("&details=")[2]
    assert token.partition("&")[1] + token.partition("&")[2] == asked
    (row,) = query("SELECT plan FROM leads ORDER BY created_at DESC LIMIT 1")
    assert (row["plan"] or {}).get("about") == (said.partition("about=")[2].partition("&")[0] or None)
