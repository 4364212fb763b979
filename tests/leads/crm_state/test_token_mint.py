"""One mint of a token at a time, whatever the spacing allows."""

from __future__ import annotations

from leads.crm_state.token import TokenTable
from tests.support.database import change


def test_no_second_mint_begins_while_one_is_in_flight(engine):
    table = TokenTable(engine)
    assert table.begin_mint(None, spacing=0, lease=30)
    assert not table.begin_mint(None, spacing=0, lease=30)
    change(engine, "UPDATE crm_token SET minting_until = now()")
    assert table.begin_mint(None, spacing=0, lease=30)


def test_no_second_mint_begins_before_the_spacing_is_over(engine):
    table = TokenTable(engine)
    table.begin_mint(None, spacing=90, lease=30)
    table.finish_mint("t1", 3600)
    assert not table.begin_mint("t1", spacing=90, lease=30)
    change(engine, "UPDATE crm_token SET next_mint_at = now()")
    assert table.begin_mint("t1", spacing=90, lease=30)
