"""Users have unique names and no plain passwords."""

from __future__ import annotations

import pytest

from leads.users import save_user, verify_password
from tests.support.database import rows_of


def test_a_user_is_created_then_given_a_new_password(engine):
    assert save_user(engine, "ann", "a long first password") is True
    assert save_user(engine, "ann", "a long second password") is False
    (row,) = rows_of(engine, "SELECT username, password FROM users")
    assert verify_password("a long second password", row["password"])
    assert not verify_password("a long first password", row["password"])
    assert "second" not in row["password"]
    for name, password, wrong in (("bob", "short", "12 characters"), (" ", "a long password", "needs a name")):
        with pytest.raises(ValueError, match=wrong):
            save_user(engine, name, password)
