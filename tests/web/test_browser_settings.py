"""The clinic's own phone and chat numbers in the pages as they are served."""

from __future__ import annotations

import pytest


def test_links_lead_to_the_clinics_own_numbers_before_any_script_runs(make_client):
    page = make_client(CLINIC_PHONE="+90 (212) 555-00 11", WHATSAPP_NUMBER="+90 532 555 00 22").get("/call").text
    assert '<a href="tel:+902125550011">+90 (212) 555-00 11</a>' in page
    assert 'href="https://wa.me/905325550022?text=Hi"' in page
    assert "{{" not in page


@pytest.mark.parametrize(("number", "warnings"), [("+90 212 555 00 11", 0), (None, 1)])
def test_production_warns_of_a_placeholder_number(make_client, caplog, number, warnings):
    numbers = {"CLINIC_PHONE": number, "WHATSAPP_NUMBER": "905325550022"}
    make_client(ENVIRONMENT="production", **{name: value for name, value in numbers.items() if value})
    assert [record.getMessage().split()[0] for record in caplog.records] == ["CLINIC_PHONE"] * warnings
