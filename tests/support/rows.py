"""Rows to store in tests, and plain SQL for looking at them and for time travel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Engine

LEAD = {
    "name": "Ann",
    "surname": "Example",
    "email": "ann@example.com",
    "country_code": "+44",
    "country_iso": "GB",
    "phone": "07911 123456",
    "phone_e164": "+447911123456",
}
CLICK = {"unique_code": "AB12C", "whatsapp_message": "[AB12C] Hi", "button_location": "thank-you-page"}


def rows_of(engine: Engine, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of a query as dicts."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(text(query), parameters).mappings()]


def change(engine: Engine, statement: str, **parameters: Any) -> None:
    """Run a statement that gives no rows: time travel, mostly."""
    with engine.connect() as connection:
        connection.execute(text(statement), parameters)
