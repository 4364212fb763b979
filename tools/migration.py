"""`python -m tools.migration TEXT`: write the next migration: what `leads.tables` has and those so far have not.

The migrations so far are applied to an embedded PostgreSQL that lives as long as the command.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from tools.servers.postgres import EmbeddedPostgres

CONFIG = Path(__file__).parents[1] / "pyproject.toml"


def main(message: str) -> None:
    """Write `migrations/versions/NNNN_message.py`; an empty one when nothing differs."""
    config = Config(toml_file=CONFIG)
    head = ScriptDirectory.from_config(config).get_current_head() or "0"
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres", durable=False) as server:
        os.environ["DATABASE_URL"] = server.url
        command.upgrade(config, "head")
        command.revision(config, message.rstrip("."), autogenerate=True, rev_id=f"{int(head) + 1:04}")


if __name__ == "__main__":
    if not any(sys.argv[1:]):
        sys.exit("Say what the migration does: python -m tools.migration Add a column for …")
    main(" ".join(sys.argv[1:]))
