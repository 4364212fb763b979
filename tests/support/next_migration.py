"""A made-up next migration, beside the product's own, for tests of upgrades."""

from pathlib import Path

from leads.db import REVISION
from tools.servers.server_process import ROOT

NEXT = f"{int(REVISION) + 1:04}"
_TEXT = """
import sqlalchemy as sa
from alembic import op

from migrations.live_tables import index_concurrently, refuse_while_older_lives

revision, down_revision = "{next}", "{before}"


def upgrade() -> None:
    {lines}
"""


def make_up(folder: Path, *lines: str) -> dict[str, str]:
    """Write a migration into a folder; return the environment in which `alembic` finds it.

    lines: the statements of its `upgrade`, with `op`, `sa` and the names of `migrations.live_tables`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = _TEXT.format(next=NEXT, before=REVISION, lines="\n    ".join(lines))
    (folder / f"{NEXT}_made_up.py").write_text(text)
    places = f"{ROOT / 'migrations/versions'}\n  {folder}"
    (folder / "alembic.ini").write_text(f"[alembic]\npath_separator = newline\nversion_locations = {places}\n")
    return {"ALEMBIC_CONFIG": str(folder / "alembic.ini")}
