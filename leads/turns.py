"""Turns: what one worker among all does when it is due, such as a daily mail. SQL only.

A worker that dies in its turn loses it; another one takes it a few minutes later.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, text

TURN_MINUTES = 5  # until a turn that was not ended may be taken again
MAX_NOTE = 200

_PLAN = text("INSERT INTO turns (name, due_at) VALUES (:name, :due) ON CONFLICT (name) DO NOTHING")
_TAKE = text(f"""
UPDATE turns SET taken_until = now() + interval '{TURN_MINUTES} minutes'
WHERE name = :name AND due_at <= now() AND taken_until <= now() RETURNING due_at
""")  # noqa: S608 - constants of this project
_END = text("""
UPDATE turns SET due_at = :due, taken_until = '-infinity', done_at = now(), note = NULL WHERE name = :name
""")
_FORGET = text("DELETE FROM turns WHERE name = :name")
_FAIL = text("UPDATE turns SET note = :note WHERE name = :name")


def take_turn(engine: Engine, name: str, *, first: datetime) -> datetime | None:
    """Return when the turn was due, if it is due and no other worker has it; `first`: when it is due first."""
    with engine.connect() as connection:
        taken: datetime | None = connection.execute(_TAKE, {"name": name}).scalar()
        if taken is None:
            connection.execute(_PLAN, {"name": name, "due": first})
        return taken


def end_turn(engine: Engine, name: str, *, due: datetime) -> None:
    """End a turn that did its work; the next one is due then."""
    with engine.connect() as connection:
        connection.execute(_END, {"name": name, "due": due})


def forget_turn(engine: Engine, name: str) -> None:
    """Do it no more; when it is planned again, that is its beginning."""
    with engine.connect() as connection:
        connection.execute(_FORGET, {"name": name})


def fail_turn(engine: Engine, name: str, note: str) -> None:
    """Note why a turn failed, without personal data. It is taken again in a few minutes."""
    with engine.connect() as connection:
        connection.execute(_FAIL, {"name": name, "note": note[:MAX_NOTE]})
