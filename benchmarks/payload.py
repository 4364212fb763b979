"""The benchmarks' enquiries: the form's thirty fields, as a visitor from an advertisement would fill them."""

from __future__ import annotations

import json
from random import Random

from proofs.harness.person import SPACE, Person, payload_of

_AGENT = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
    "Mobile Safari/537.36"
)
_PAGE = (
    "https://clinic.example/dental-implants?utm_source=google&utm_medium=cpc&utm_term=dental+implants+istanbul"
    "&gclid=Cj0KCQiA6LyfBhC3ARIsAG4gkF9sample&matchtype=p&network=g&device=m&campaign=20017"
)


def row(number: int) -> dict[str, str]:
    """The columns of `leads` that the API stores for the visitor of this number; unique for each number."""
    person = Person(number)
    return person.row() | {
        "google_campaign": "20017",
        "google_adgroup": "implants-uk",
        "google_keyword": "dental implants istanbul",
        "google_ad": "633118820017",
        "google_gclid": f"Cj0KCQiA6LyfBhC3ARIsAG4gkF9sample{number}",
        "utm_medium": "cpc",
        "utm_content": "text-ad",
        "utm_term": "dental implants istanbul",
        "google_matchtype": "p",
        "google_network": "g",
        "google_device": "m",
        "ads_timestamp": "2026-11-20T09:30:00.000Z",
        "session_id": f"{person.scattered}-6f5d-4c52-9d3e-{number:012d}",
        "current_url": _PAGE,
        "referrer": "https://www.google.com/",
        "user_agent": _AGENT,
        "device_type": "mobile",
        "browser_name": "Chrome",
        "browser_version": "131.0.0.0",
        "operating_system": "Android 14",
        "screen_resolution": "412x915",
        "timezone": "Europe/London",
        "language": "en-GB",
    }


def body(number: int) -> str:
    """The JSON body that the form posts for this visitor."""
    return json.dumps(payload_of(row(number)) | {"website": ""})


def bodies(chooser: Random, count: int = 256) -> list[str]:
    """Bodies of randomly chosen visitors."""
    return [body(number) for number in chooser.sample(range(SPACE), count)]
