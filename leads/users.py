"""Users: a name and the salted hash of a password. No page uses them."""

from __future__ import annotations

import hashlib
import hmac
import os

from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.postgresql import insert

from leads.tables import users

MIN_PASSWORD_LENGTH = 12
# scrypt's cost: 2^15 * 8 * 128 bytes is 32 MiB, and a fraction of a second per guess.
COST, BLOCK, PARALLEL = 2**15, 8, 1
MEMORY = 64 * 1024 * 1024


def _derive(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=COST, r=BLOCK, p=PARALLEL, maxmem=MEMORY)


def hash_password(password: str) -> str:
    """Return the text to store: `scrypt$salt$hash`, salt and hash in hexadecimal."""
    salt = os.urandom(16)
    return f"scrypt${salt.hex()}${_derive(password, salt).hex()}"


def verify_password(password: str, stored: str) -> bool:
    """Return whether `password` matches the stored text."""
    _, salt, expected = stored.split("$")
    return hmac.compare_digest(_derive(password, bytes.fromhex(salt)).hex(), expected)


def save_user(engine: Engine, username: str, password: str) -> bool:
    """Create the user (True) or set their password (False); `ValueError` explains an unusable name or password."""
    if not username.strip():
        raise ValueError("A user needs a name.")
    if len(password) < MIN_PASSWORD_LENGTH:
        raise ValueError(f"A password needs at least {MIN_PASSWORD_LENGTH} characters.")
    hashed = hash_password(password)
    statement = insert(users).values(username=username.strip(), password=hashed)
    with engine.connect() as connection:
        same_name = select(func.count()).select_from(users).where(users.c.username == username.strip())
        existed = connection.execute(same_name).scalar_one() > 0
        connection.execute(statement.on_conflict_do_update(index_elements=["username"], set_={"password": hashed}))
    return not existed
