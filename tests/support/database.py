"""Plain SQL for looking at a test's database and for moving its rows in time."""

from collections.abc import Callable
from typing import Any

import psycopg
from sqlalchemy import Engine, event, text

Spy = Callable[[psycopg.Cursor[Any], str, Any], object]


def rows_of(engine: Engine, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of a query as dicts."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(text(query), parameters).mappings()]


def change(engine: Engine, statement: str, **parameters: Any) -> None:
    """Run a statement that returns no rows."""
    with engine.connect() as connection:
        connection.execute(text(statement), parameters)


def spy_on(engine: Engine, before: Spy | None = None, after: Spy | None = None) -> None:
    """Call these with cursor, statement and parameters at each statement on a connection taken from here on."""

    class Spied(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **options: Any) -> "Spied":
            if before is not None:
                before(self, query, params)
            super().execute(query, params, **options)
            if after is not None:
                after(self, query, params)
            return self

    def spy(connection: psycopg.Connection[Any], *_: object) -> None:
        connection.cursor_factory = Spied

    event.listen(engine, "checkout", spy)


_REQUIRED = {
    "leads": {
        "name": "'Ann'",
        "surname": "'Example'",
        "email": "'ann@example.com'",
        "country_code": "'+44'",
        "phone": "'1'",
        "phone_e164": "'+447911123456'",
    },
    "whatsapp_clicks": {"unique_code": "n::text", "whatsapp_message": "'Hi'", "button_location": "'x'"},
}


def store_many(
    engine: Engine, table: str, count: int, row: dict[str, str], delivery: dict[str, str], **parameters: Any
) -> None:
    """Store rows and their deliveries with one statement; columns are SQL expressions, of the row's number `n`."""
    columns = {**_REQUIRED[table], **row}
    kind = "lead" if table == "leads" else "click"
    change(
        engine,
        f"""
WITH given AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, n FROM generate_series(1, {count}) AS n
), stored AS (
    INSERT INTO {table} (id, {", ".join(columns)}) SELECT id, {", ".join(columns.values())} FROM given
)
INSERT INTO deliveries (id, kind, {", ".join(delivery)})
SELECT id, '{kind}', {", ".join(delivery.values())} FROM given
""",
        **parameters,
    )
