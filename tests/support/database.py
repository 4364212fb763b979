"""Plain SQL for looking at a test's database and for moving its rows in time, and the migrations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Engine

ROOT = Path(__file__).parents[2]


def rows_of(engine: Engine, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of a query as dicts."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(text(query), parameters).mappings()]


def change(engine: Engine, statement: str, **parameters: Any) -> None:
    """Run a statement that returns no rows."""
    with engine.connect() as connection:
        connection.execute(text(statement), parameters)


def migrate(database_url: str, target: str = "head") -> None:
    """Bring a database to a migration, the way a deployment does: `head`, or `base` for none."""
    direction = "downgrade" if target == "base" else "upgrade"
    subprocess.run(
        [sys.executable, "-m", "alembic", direction, target],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url},
        check=True,
        capture_output=True,
        text=True,
    )
