"""What a migration needs beside a site that keeps running: indexes made without blocking, and no older process.

`env.py` gives up a statement that waits for a table, and tries the migration again.
"""

from typing import Any

from alembic import op
from alembic.util import CommandError
from sqlalchemy import Connection, text

# Every session of the product is named after its process and the newest migration that its code knows.
_OLDER = text("""
SELECT DISTINCT application_name AS name FROM pg_stat_activity
WHERE datname = current_database() AND application_name ~ '^[a-z-]+ [0-9]{4}$'
    AND split_part(application_name, ' ', 2) < :revision
ORDER BY 1
""")


def refuse_while_older_lives(connection: Connection, revision: str) -> None:
    """Stop before anything is changed while a process is connected whose code is older than a revision.

    For a migration that removes what older code still reads or writes, as its first line.

    Args:
        connection: `op.get_bind()`.
        revision: The migration that came with the code which needs it no more.

    Raises:
        CommandError: Names these processes; alembic prints it without a traceback.
    """
    if op.get_context().as_sql:
        return  # the statements are only printed
    older = ", ".join(row.name for row in connection.execute(_OLDER, {"revision": revision}))
    if older:
        raise CommandError(
            f"This migration removes what an older version still uses, and one is connected ({older}): "
            "replace it by the release before this one, or stop it, then migrate again."
        )


def index_concurrently(name: str, table: str, columns: list[Any], **options: Any) -> None:
    """Make an index while the table is written to; `options` are those of `op.create_index`.

    What the migration did before is committed by then, so that an index is best a migration of its own.
    """
    with op.get_context().autocommit_block():
        # It waits for the transactions that are open, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        # An index whose making was interrupted is there, but not valid.
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)
        op.execute("RESET lock_timeout")
