"""A made-up next migration, beside the product's own, for tests of upgrades."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

from leads.db import REVISION
from tools.servers.server_process import ROOT

NEXT = f"{int(REVISION) + 1:04}"
_TEXT = """
import sqlalchemy as sa
from alembic import op

from migrations.live_tables import index_concurrently, refuse_while_older_lives

revision, down_revision = "{revision}", "{before}"


def upgrade() -> None:
    {lines}


def downgrade() -> None:
    pass
"""


def make_up(folder: Path, *lines: str, revision: str = NEXT, before: str = REVISION) -> dict[str, str]:
    """Write a migration into a folder; return the environment in which `alembic` finds it.

    Args:
        folder: Made if it is missing; several migrations may share it.
        lines: The statements of its `upgrade`, with `op`, `sa` and the names of `migrations.live_tables`.
        revision: Its number.
        before: The number that it follows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = _TEXT.format(revision=revision, before=before, lines="\n    ".join(lines))
    (folder / f"{revision}_made_up.py").write_text(text)
    config = ConfigParser(interpolation=None)
    config["alembic"] = {
        "path_separator": "newline",
        "version_locations": f"{ROOT / 'migrations' / 'versions'}\n{folder}",
    }
    with (folder / "alembic.ini").open("w") as file:
        config.write(file)
    return {"ALEMBIC_CONFIG": str(folder / "alembic.ini")}
