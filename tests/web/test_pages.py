"""The built site over HTTP: pages, files, caching, and everything that is not there."""

import gzip
import json
import re

import brotli
import pytest

from tests.support.samples import PAYLOAD

UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "identity": bytes}
SCRIPT = "/assets/app-1a2b.js"
FILM = "/assets/film-3c4d.mp4"


def settings_of(response):
    (block,) = re.findall(r'<script type="application/json" id="settings">(.*?)</script>', response.text)
    return json.loads(block)


@pytest.mark.parametrize(("path", "words"), [("/", "Welcome"), ("/thank-you", "Thanks")])
def test_a_known_route_is_its_page(client, path, words):
    response = client.get(path)
    assert (response.status_code, response.content_type) == (200, "text/html; charset=utf-8")
    assert words in response.text
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Length"] == str(len(response.data))


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/thank-you/more",
        "/thank-you/index.html",
        "/routes.json",
        "/go-live.json",
        "/assets/",
        "/assets/app-1a2b.js.br",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "//evil.example/",
        "/\\evil.example/",
        "/\x00",
        "/ünknown",
        "/apixyz",
    ],
)
def test_everything_else_is_the_not_found_page_with_its_status(client, path):
    response = client.get("/", environ_overrides={"PATH_INFO": path})
    assert response.status_code == 404
    assert "404 Page Not Found" in response.text


def test_the_not_found_page_is_never_304(client):
    tag = client.get("/nothing").headers["ETag"]
    assert client.get("/nothing", headers={"If-None-Match": tag}).status_code == 404


def test_the_page_carries_the_run_time_settings_and_its_links_the_clinics_numbers(make_client):
    client = make_client(
        CLINIC_PHONE="+90 (212) 555-00 11",
        WHATSAPP_NUMBER="+90 532 555 00 22",
        META_PIXEL_ID="</script><script>alert(1)</script>",
        ENVIRONMENT="production",
    )
    page = client.get("/call")
    assert '<a href="tel:+902125550011">+90 (212) 555-00 11</a>' in page.text
    assert 'href="https://wa.me/905325550022?text=Hi"' in page.text
    assert "{{" not in page.text
    assert page.text.count("<script") == 1
    assert settings_of(page) == {
        "clinicPhone": "+90 (212) 555-00 11",
        "whatsappNumber": "+90 532 555 00 22",
        "attributionStorage": "after-consent",
        "googleAdsConversion": None,
        "metaPixelId": "</script><script>alert(1)</script>",
        "analyticsId": None,
        "environment": "production",
        "mailEnabled": False,
        "retentionMonths": 24,
        "addressDays": 30,
        "showSamples": False,
    }


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({}, True),
        ({"ENVIRONMENT": "production"}, False),
        ({"ENVIRONMENT": "production", "SHOW_SAMPLES": "yes"}, True),
        ({"SHOW_SAMPLES": "no"}, False),
    ],
)
def test_sample_content_is_sent_in_development_or_on_request(dist, make_client, environ, shown):
    for name in ("index.html", "call.html", "thank-you/index.html", "404.html"):
        page = dist / "with-samples" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text((dist / name).read_text().replace("<title>", "<title>Sample of "))
    client = make_client(**environ)
    for path in ("/", "/thank-you", "/nothing"):
        page = client.get(path)
        assert ("Sample of" in page.text) is shown
        assert settings_of(page)["showSamples"] is shown
    assert client.get("/with-samples/index.html").status_code == 404


@pytest.mark.parametrize("path", ["/", "/favicon.svg", SCRIPT])
def test_a_known_copy_is_not_sent_again(client, path):
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("*;q=0", None),
        ("", None),
        ("nonsense;;q=x", None),
    ],
)
def test_files_go_out_in_the_best_coding_the_browser_takes(client, accepted, coding):
    response = client.get(SCRIPT, headers={"Accept-Encoding": accepted})
    assert response.headers.get("Content-Encoding") == coding
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.content_type == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("coding", ["br", "gzip"])
@pytest.mark.parametrize("path", ["/", "/nothing", "/thank-you?reference=123456", SCRIPT])
def test_pages_and_scripts_go_out_compressed(client, path, coding):
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    packed = client.get(path, headers={"Accept-Encoding": coding})
    assert (packed.status_code, packed.headers.get("Content-Encoding")) == (plain.status_code, coding)
    assert UNPACK[coding](packed.data) == plain.data
    assert packed.headers["Content-Length"] == str(len(packed.data))
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


def test_each_coding_has_its_own_tag_and_only_that_one_is_known(client):
    def ask(coding, **more):
        return client.get("/", headers={"Accept-Encoding": coding, **more})

    tags = {coding: ask(coding).headers["ETag"] for coding in UNPACK}
    assert len(set(tags.values())) == 3
    for coding, tag in tags.items():
        again = {asked: ask(asked, **{"If-None-Match": tag}).status_code for asked in tags}
        assert again == {asked: 304 if asked == coding else 200 for asked in tags}


@pytest.mark.parametrize("accepted", ["br", ""])
@pytest.mark.parametrize("path", ["/", "/nothing", SCRIPT, FILM])
def test_head_is_get_without_the_body(client, path, accepted):
    asked = {"Accept-Encoding": accepted}
    with client.get(path, headers=asked) as get, client.head(path, headers=asked) as head:
        assert (head.status_code, head.data) == (get.status_code, b"")
        for name in ("Content-Length", "Content-Encoding", "ETag", "Vary"):
            assert head.headers.get(name) == get.headers.get(name)


@pytest.mark.parametrize("path", ["/thank-you/", "/Thank-You"])
def test_a_typed_address_leads_to_its_page_and_the_campaign_kept(client, path):
    response = client.get(f"{path}?utm_source=Print&b=%20c")
    assert (response.status_code, response.headers["Location"]) == (308, "/thank-you?utm_source=Print&b=%20c")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/your-plan/?gclid=G7", "/pricing?gclid=G7"),
        ("/implants/your-plan", "/implants/prices"),
        ("/complaint", "/privacy#complaint"),
        ("/Data-Complaint/?reference=C-0402117", "/privacy#complaint"),
    ],
)
def test_a_removed_page_leads_to_what_took_its_place(client, method, path, location):
    response = client.open(path, method=method)
    assert (response.status_code, response.location) == (301, location)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_pages_take_no_other_methods(client, method):
    response = client.open("/", method=method)
    assert (response.status_code, response.headers.get("Allow")) == (405, "GET, HEAD")


def test_files_without_a_hash_in_their_name_are_kept_for_an_hour(client):
    response = client.get("/robots.txt")
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert response.content_type == "text/plain; charset=utf-8"
    assert client.get("/arrival-5e6f.js").headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_films_are_sent_in_ranges(client):
    part = client.get(FILM, headers={"Range": "bytes=256-257"})
    assert (part.status_code, part.data) == (206, b"\x00\x01")
    assert part.headers["Content-Range"] == "bytes 256-257/4096"
    assert "immutable" in part.headers["Cache-Control"]
    for asked in ("bytes=5000-", "bytes=a-b"):
        refused = client.get(FILM, headers={"Range": asked})
        assert (refused.status_code, refused.headers["Cache-Control"]) == (416, "no-store")
        assert refused.headers["X-Content-Type-Options"] == "nosniff"


def test_without_a_build_the_site_says_what_to_do_and_the_api_works(make_client, tmp_path):
    client = make_client(FRONTEND_DIR=str(tmp_path / "nowhere"))
    page = client.get("/")
    assert page.status_code == 503
    assert "npm run build" in page.text
    assert client.post("/api/leads", json=PAYLOAD).status_code == 201
