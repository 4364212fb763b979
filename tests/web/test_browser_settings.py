"""The clinic's own phone and chat numbers in the pages as they are served."""

from __future__ import annotations


def test_links_lead_to_the_clinics_own_numbers_before_any_script_runs(make_client):
    page = make_client(CLINIC_PHONE="+90 (212) 555-00 11", WHATSAPP_NUMBER="+90 532 555 00 22").get("/call").text
    assert '<a href="tel:+902125550011">+90 (212) 555-00 11</a>' in page
    assert 'href="https://wa.me/905325550022?text=Hi"' in page
    assert "{{" not in page
