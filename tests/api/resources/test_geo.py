"""/api/geo: the country that the CDN names."""

from __future__ import annotations

import pytest

from leads.settings import read_settings
from web.app import close_app, create_app

NO_REDIS = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize(
    ("sent", "country"),
    [("GB", "GB"), ("tr", "TR"), ("XX", None), ("T1", None), ("", None), ("GBR", None), ("é1", None), ("ÄÖ", None)],
)
def test_the_country_comes_from_the_cdn(client, sent, country):
    response = client.get("/api/geo", headers={"CF-IPCountry": sent.encode().decode("latin-1")})
    assert response.json == {"country_code": country}
    assert response.headers["Cache-Control"] == "no-store"


def test_the_cdns_header_is_a_setting(module_database_url):
    environ = {"DATABASE_URL": module_database_url, "REDIS_URL": NO_REDIS, "COUNTRY_HEADER": "X-Country"}
    app = create_app(read_settings(environ))
    client = app.test_client()
    assert client.get("/api/geo", headers={"X-Country": "DE"}).json == {"country_code": "DE"}
    assert client.get("/api/geo", headers={"CF-IPCountry": "DE"}).json == {"country_code": None}
    close_app(app)
