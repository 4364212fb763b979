"""The warning about a proxy that the settings do not know."""

from __future__ import annotations

import pytest

from web.proxies import is_public


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("clinic.example", True),
        ("clinic.example:443", True),
        ("8.8.8.8", True),
        ("[2606:4700::1111]:443", True),
        ("localhost:8000", False),
        ("127.0.0.1:8000", False),
        ("10.0.0.5", False),
        ("[::1]", False),
        ("web:8000", False),
        ("clinic.local", False),
        ("", False),
    ],
)
def test_a_public_host_is_one_that_the_internet_knows(host, public):
    assert is_public(host) is public


@pytest.mark.parametrize(("hops", "warnings"), [("0", 1), ("1", 0)])
def test_a_public_host_without_trusted_hops_is_warned_about_once(make_client, caplog, hops, warnings):
    client = make_client(TRUSTED_PROXY_HOPS=hops)
    for host in ("localhost", "clinic.example", "clinic.example", "other.example"):
        client.get("/api/geo", headers={"Host": host})
    told = [record.getMessage() for record in caplog.records if "TRUSTED_PROXY_HOPS" in record.getMessage()]
    assert len(told) == warnings
