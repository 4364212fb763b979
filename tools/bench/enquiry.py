"""The benchmarks' enquiries: the form's thirty fields, as visitors from an advertisement would fill them."""

import json

import psycopg
from psycopg.sql import SQL, Identifier

from leads.ids import new_id

SPACE = 10_000_000  # no two numbers below it are the same person
_SCATTER = 6_180_339  # consecutive people have nothing in common
_PAGE = (
    "https://clinic.example/dental-implants?utm_source=google&utm_medium=cpc&utm_term=dental+implants+istanbul"
    "&gclid=Cj0KCQiA6LyfBhC3ARIsAG4gkF9sample&matchtype=p&network=g&device=m&campaign=20017"
)
_AGENT = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
    "Mobile Safari/537.36"
)
_SAME = {
    "country_code": "+44", "country_iso": "GB", "timezone": "Europe/London", "language": "en-GB",
    "google_campaign": "20017", "google_adgroup": "implants-uk", "google_ad": "633118820017",
    "google_keyword": "dental implants istanbul", "google_matchtype": "p", "google_network": "g",
    "google_device": "m", "utm_source": "google", "utm_medium": "cpc", "utm_content": "text-ad",
    "utm_term": "dental implants istanbul", "ads_timestamp": "2026-11-20T09:30:00.000Z",
    "current_url": _PAGE, "referrer": "https://www.google.com/", "user_agent": _AGENT,
    "device_type": "mobile", "browser_name": "Chrome", "browser_version": "131.0.0.0",
    "operating_system": "Android 14", "screen_resolution": "412x915",
}  # fmt: skip


def row(number: int) -> dict[str, str]:
    """The columns of `leads` for the visitor of this number, but the phone in E.164."""
    scattered = f"{number * _SCATTER % SPACE:07d}"
    return {
        "name": f"Ada{number}",
        "surname": f"Sample{number}",
        "email": f"{scattered}.ada@example.com",
        "phone": f"0740{scattered}",
        "message": f"How long does an implant take, and when could I come? Question {number}.",
        "google_gclid": f"Cj0KCQiA6LyfBhC3ARIsAG4gkF9sample{number}",
        "session_id": f"{scattered}-6f5d-4c52-9d3e-{number:012d}",
        **_SAME,
    }


def body(number: int) -> str:
    """The JSON body that the form posts for this visitor."""
    return json.dumps({_wire(name): value for name, value in row(number).items()})


def store_waiting(database: str, count: int) -> None:
    """Store so many leads in one commit, due at once."""
    columns = ("id", "idempotency_key", "phone_e164", *row(0))
    words = SQL("COPY leads ({}) FROM STDIN").format(SQL(", ").join(map(Identifier, columns)))
    ids = [new_id() for _ in range(count)]
    with psycopg.connect(database) as connection, connection.cursor() as cursor:
        with cursor.copy(words) as copy:
            for number, lead_id in enumerate(ids):
                lead = row(number)
                copy.write_row((lead_id, str(lead_id), f"+44{lead['phone'][1:]}", *lead.values()))
        with cursor.copy("COPY deliveries (id, kind) FROM STDIN") as copy:
            for lead_id in ids:
                copy.write_row((lead_id, "lead"))


def _wire(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
