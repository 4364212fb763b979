"""Security headers: on everything, strict by default, wider only for what is configured."""

from __future__ import annotations

import pytest

STRICT = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "img-src 'self' data:"
)


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/robots.txt", "/thank-you/", "/api/geo", "/api/nothing", "/api/docs", "/healthz"]
)
def test_every_answer_carries_them(client, path):
    with client.get(path) as response:
        assert response.headers.getlist("Content-Security-Policy") == [STRICT]
        assert response.headers.getlist("X-Content-Type-Options") == ["nosniff"]
        assert response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
        assert "camera=()" in response.headers["Permissions-Policy"]
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "Strict-Transport-Security" not in response.headers
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("path", ["/", "/api/geo"])
def test_production_insists_on_https(make_client, path):
    headers = make_client(ENVIRONMENT="production").get(path).headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("setting", "host"),
    [
        ({"ANALYTICS_ID": "G-1"}, "https://www.googletagmanager.com"),
        ({"GOOGLE_ADS_CONVERSION": "AW-1/x"}, "https://googleads.g.doubleclick.net"),
        ({"META_PIXEL_ID": "1"}, "https://connect.facebook.net"),
        ({"GEO_URL": "https://geo.example/json?k=1"}, "https://geo.example"),
    ],
)
def test_a_configured_tag_may_load_and_nothing_inline_ever(make_client, setting, host):
    policy = make_client(**setting).get("/").headers["Content-Security-Policy"]
    assert f" {host}" in policy
    assert "unsafe" not in policy
    assert "; script-src 'self' " in policy or "GEO_URL" in setting
    names = [directive.split()[0] for directive in policy.split("; ")]
    assert len(names) == len(set(names))
