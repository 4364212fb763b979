"""Reads the table of addresses and of what comes of each, which the browser's tests share; it tells its rules."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = json.loads(Path(__file__).parents[1].joinpath("attribution_urls.json").read_text("utf-8"))
COLUMNS: dict[str, str] = TABLE["columns"]
CRM: dict[str, str] = TABLE["crm"]
CRM_FIRST: dict[str, str] = TABLE["crmFirst"]


@dataclass(frozen=True)
class UrlCase:
    """sent: the POST's fields. row: its columns, None for NULL. crm: the record's fields, None for left out."""

    name: str
    sent: dict[str, Any]
    row: dict[str, Any]
    crm: dict[str, str | None]


def read_cases() -> list[UrlCase]:
    """The table's cases, in its order."""
    return [_read(case) for case in TABLE["cases"]]


def _read(case: dict[str, Any]) -> UrlCase:
    campaign = _spell_all(case["sent"])
    arrival = _arrival(case, known=bool(campaign))
    sent: dict[str, Any] = {**campaign, **arrival}
    first = _spell_all(case["first"]) if "first" in case else dict(sent)
    in_row, in_crm = _spell_all(case.get("row", {})), _spell_all(case.get("crm", {}))
    # Another first arrival is stored and shown as it was sent; the same one differs as the last one does.
    same = "first" not in case
    first_row = first | in_row if same else first
    first_crm = first | in_crm if same else first
    touch = {COLUMNS[name]: value for name, value in first_row.items()} if campaign else None
    row = {column: (sent | in_row).get(name) for name, column in COLUMNS.items()}
    crm = {field: (sent | in_crm).get(name) for name, field in CRM.items()}
    crm |= {field: first_crm.get(name) if campaign else None for name, field in CRM_FIRST.items()}
    # A spreadsheet would run what begins with a sign.
    crm = {
        field: f"'{value}" if value and len(value) > 1 and value[0] in "=+-@" else value
        for field, value in crm.items()
    }
    posted = sent | ({"firstTouch": first} if campaign else {})
    return UrlCase(case["name"], posted, row | {"first_touch": touch}, crm)


def _arrival(case: dict[str, Any], *, known: bool) -> dict[str, str]:
    arrival: dict[str, str] = {}
    if len(case["visits"]) == 1:
        (visit,) = case["visits"]
        arrival = {"landingUrl": TABLE["origin"] + _spell(visit["url"]), "referrer": visit.get("referrer", "")}
        if known:
            arrival["timestamp"] = TABLE["times"][0]
    return {name: value for name, value in (arrival | _spell_all(case.get("last", {}))).items() if value}


def _spell(text: Any) -> str:
    if isinstance(text, str):
        return text
    if isinstance(text, list):
        return "".join(_spell(part) for part in text)
    return str(text["text"]) * int(text["times"])


def _spell_all(texts: dict[str, Any]) -> dict[str, str]:
    return {name: _spell(text) for name, text in texts.items()}
