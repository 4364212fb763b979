"""/api/geo: the country that the CDN names."""

from __future__ import annotations

import pytest

from tests.support.site import running_site

BEHIND_A_CDN = {"TRUSTED_PROXY_HOPS": "1", "COUNTRY_HEADER": "CF-IPCountry"}


@pytest.fixture
def ask(module_database_url):
    """The answer of an application with these settings."""

    def ask(headers, **settings):
        with running_site(DATABASE_URL=module_database_url, **settings) as app:
            return app.test_client().get("/api/geo", headers=headers)

    return ask


@pytest.mark.parametrize(
    ("sent", "country"),
    [("GB", "GB"), ("tr", "TR"), ("XX", None), ("T1", None), ("", None), ("GBR", None), ("é1", None), ("ÄÖ", None)],
)
def test_the_country_comes_from_the_cdn(ask, sent, country):
    response = ask({"CF-IPCountry": sent.encode().decode("latin-1")}, **BEHIND_A_CDN)
    assert response.json == {"country_code": country}
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("header", "settings"),
    [
        ("CF-IPCountry", {}),
        ("CF-IPCountry", BEHIND_A_CDN | {"TRUSTED_PROXY_HOPS": "0"}),
        ("CF-IPCountry", {"TRUSTED_PROXY_HOPS": "1"}),
        ("X-Country", BEHIND_A_CDN),
    ],
    ids=["no setting", "no proxy", "no CDN", "another name"],
)
def test_a_country_that_no_cdn_has_set_is_not_believed(ask, header, settings):
    assert ask({header: "FR"}, **settings).json == {"country_code": None}
