"""Security headers: on everything, strict by default, wider only for what is configured."""

from __future__ import annotations

import pytest

STRICT = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "img-src 'self' data:"
)


@pytest.mark.parametrize(
    "path",
    ["/", "/nothing", "/robots.txt", "/thank-you/", "/api/geo", "/api/nothing", "/api/openapi.json", "/healthz"],
)
def test_every_answer_carries_them(client, path):
    with client.get(path) as response:
        assert response.headers.getlist("Content-Security-Policy") == [STRICT]
        assert response.headers.getlist("X-Content-Type-Options") == ["nosniff"]
        assert response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
        assert "camera=()" in response.headers["Permissions-Policy"]
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.headers.getlist("X-Frame-Options") == ["DENY"]
        assert "Strict-Transport-Security" not in response.headers
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("path", ["/api/geo", "/api/nothing", "/api/openapi.json", "/healthz", "/readyz"])
def test_nobody_keeps_an_answer_of_the_application(client, path):
    assert client.get(path).headers.getlist("Cache-Control") == ["no-store"]


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
    ],
)
def test_a_configured_tag_may_load_and_nothing_inline_ever(make_client, setting, host):
    policy = make_client(**setting).get("/").headers["Content-Security-Policy"]
    assert f" {host}" in policy
    assert "unsafe" not in policy
    assert "; script-src 'self' " in policy
    names = [directive.split()[0] for directive in policy.split("; ")]
    assert len(names) == len(set(names))


OTHER_TAGS = {
    "ANALYTICS_ID": ("doubleclick", "googleadservices", "facebook"),
    "GOOGLE_ADS_CONVERSION": ("google-analytics", "facebook"),
    "META_PIXEL_ID": ("google",),
}


@pytest.mark.parametrize(("setting", "others"), OTHER_TAGS.items())
def test_a_configured_tag_opens_nothing_for_the_other_tags(make_client, setting, others):
    policy = make_client(**{setting: "1"}).get("/").headers["Content-Security-Policy"]
    assert not [other for other in others if other in policy]


def test_a_video_service_that_the_pages_embed_may_be_framed_and_nothing_else_of_it(make_client, dist):
    (dist / "policy.json").write_text('{"frame-src": ["https://video.example"], "style-src": []}')
    client = make_client()
    policy = client.get("/").headers["Content-Security-Policy"]
    assert policy == f"{STRICT}; frame-src 'self' https://video.example"
    assert client.get("/policy.json").status_code == 404


def test_a_style_sheet_that_stands_in_the_pages_is_allowed_by_its_hash(make_client, dist):
    (dist / "policy.json").write_text('{"style-src": ["\'sha256-abc=\'"]}')
    policy = make_client().get("/").headers["Content-Security-Policy"]
    assert policy == f"{STRICT}; style-src 'self' 'sha256-abc='"
