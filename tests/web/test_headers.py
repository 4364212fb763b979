"""Security headers: on everything, strict by default, wider only for what is configured."""

import pytest

STRICT = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "img-src 'self' data:"
)


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/robots.txt", "/thank-you/", "/api/geo", "/api/nothing", "/healthz"]
)
def test_every_answer_carries_them(client, path):
    with client.get(path) as response:
        for name, value in {
            "Content-Security-Policy": STRICT,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "strict-origin-when-cross-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }.items():
            assert response.headers.getlist(name) == [value]
        assert "camera=()" in response.headers["Permissions-Policy"]
        assert "Strict-Transport-Security" not in response.headers


@pytest.mark.parametrize("path", ["/api/geo", "/api/nothing", "/api/openapi.json", "/healthz", "/readyz"])
def test_nobody_keeps_an_answer_of_the_application(client, path):
    assert client.get(path).headers.getlist("Cache-Control") == ["no-store"]


@pytest.mark.parametrize("path", ["/", "/api/geo"])
def test_production_insists_on_https(make_client, path):
    headers = make_client(ENVIRONMENT="production").get(path).headers
    assert headers.get("Strict-Transport-Security") == "max-age=31536000"


@pytest.mark.parametrize(
    ("setting", "host", "others"),
    [
        ("ANALYTICS_ID", "https://www.googletagmanager.com", ("doubleclick", "googleadservices", "facebook")),
        ("GOOGLE_ADS_CONVERSION", "https://googleads.g.doubleclick.net", ("google-analytics", "facebook")),
        ("META_PIXEL_ID", "https://connect.facebook.net", ("google",)),
    ],
    ids=["analytics", "ads", "pixel"],
)
def test_a_configured_tag_may_load_and_no_other_and_nothing_inline_ever(make_client, setting, host, others):
    policy = make_client(**{setting: "1"}).get("/").headers["Content-Security-Policy"]
    assert "; script-src 'self' " in policy
    assert f" {host}" in policy
    assert [other for other in (*others, "unsafe") if other in policy] == []
    names = [directive.split()[0] for directive in policy.split("; ")]
    assert len(names) == len(set(names))


def test_what_the_pages_hold_or_embed_is_allowed_and_nothing_else(make_client, dist):
    allowed = '{"frame-src": ["https://video.example"], "style-src": ["\'sha256-abc=\'"], "media-src": []}'
    (dist / "policy.json").write_text(allowed)
    client = make_client()
    policy = client.get("/").headers["Content-Security-Policy"]
    assert policy == f"{STRICT}; frame-src 'self' https://video.example; style-src 'self' 'sha256-abc='"
    assert client.get("/policy.json").status_code == 404
