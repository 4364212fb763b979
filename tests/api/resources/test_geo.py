"""/api/geo: the country that the CDN names."""

import pytest

from tests.support.site import running_site

BEHIND_A_CDN = {"TRUSTED_PROXY_HOPS": "1", "COUNTRY_HEADER": "CF-IPCountry"}


def ask(url, header, sent, settings):
    """The answer of an application with these settings."""
    with running_site(DATABASE_URL=url, **settings) as app:
        return app.test_client().get("/api/geo", headers={header: sent.encode().decode("latin-1")})


@pytest.mark.parametrize(
    ("sent", "country"),
    [("GB", "GB"), ("tr", "TR"), ("XX", None), ("", None), ("GBR", None), ("ÄÖ", None)],
)
def test_the_country_comes_from_the_cdn(module_database_url, sent, country):
    response = ask(module_database_url, "CF-IPCountry", sent, BEHIND_A_CDN)
    assert (response.json, response.headers["Cache-Control"]) == ({"country_code": country}, "no-store")


@pytest.mark.parametrize(
    ("header", "settings"),
    [
        ("CF-IPCountry", BEHIND_A_CDN | {"TRUSTED_PROXY_HOPS": "0"}),
        ("CF-IPCountry", {"TRUSTED_PROXY_HOPS": "1"}),
        ("X-Country", BEHIND_A_CDN),
    ],
    ids=["no proxy", "no CDN", "another name"],
)
def test_a_country_that_no_cdn_has_set_is_not_believed(module_database_url, header, settings):
    assert ask(module_database_url, header, "FR", settings).json == {"country_code": None}
