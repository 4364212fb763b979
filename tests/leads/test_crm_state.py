"""One token for everybody, one mint at a time; one check of the fields, and what the last one found."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from leads.crm_state import (
    FieldCheck,
    TokenTable,
    begin_field_check,
    read_field_check,
    record_field_check,
    record_missing_records,
)
from tests.support.database import change


def test_one_of_many_may_mint_and_the_rest_wait(engine):
    table = TokenTable(engine)
    assert table.read() is None
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: table.begin_mint(None, spacing=90), range(8))) == 1
    table.finish_mint("t1", 3600, "a b")
    value, life, scopes = table.read()
    assert (value, scopes) == ("t1", "a b")
    assert 3590 < life <= 3600
    assert 80 < table.mint_wait() <= 90


def test_a_token_lasts_by_the_databases_clock_alone(engine, monkeypatch):
    table, now = TokenTable(engine), time.time()
    monkeypatch.setattr(time, "time", lambda: now + 7200)
    table.finish_mint("t1", 3600)
    assert 3590 < table.read()[1] <= 3600


def test_a_token_that_somebody_else_has_replaced_is_not_minted_again(engine):
    table = TokenTable(engine)
    table.begin_mint(None, spacing=0)
    table.finish_mint("t2", 3600)
    assert not table.begin_mint("t1", spacing=90)
    assert table.begin_mint("t2", spacing=90)


def test_no_second_mint_begins_before_the_spacing_is_over_though_the_minter_died(engine):
    table = TokenTable(engine)
    assert table.begin_mint(None, spacing=90)
    assert not table.begin_mint(None, spacing=90)
    change(engine, "UPDATE crm_token SET next_mint_at = now()")
    assert table.begin_mint(None, spacing=90)


def test_a_throttle_forbids_minting_and_an_unsent_request_does_not(engine):
    table = TokenTable(engine)
    table.begin_mint(None, spacing=90)
    table.fail_mint(wait_seconds=0)
    assert table.begin_mint(None, spacing=90)
    table.fail_mint(wait_seconds=None)
    assert 80 < table.mint_wait() <= 90
    table.fail_mint(wait_seconds=600)
    assert 590 < table.mint_wait() <= 600
    change(engine, "UPDATE crm_token SET next_mint_at = now() - interval '1 h'")
    assert table.mint_wait() == 0


def test_a_refusal_of_our_credentials_is_kept_until_a_mint_succeeds(engine):
    table = TokenTable(engine)
    assert table.refusal() is None
    table.fail_mint(wait_seconds=None, refusal="invalid_code")
    change(engine, "UPDATE crm_token SET refused_at = refused_at - interval '1 h'")
    table.fail_mint(wait_seconds=None)
    code, seconds = table.refusal()
    assert (code, 3600 <= seconds < 3700) == ("invalid_code", True)
    table.finish_mint("t1", 3600)
    assert table.refusal() is None


def let_pass(engine, minutes):
    change(engine, "UPDATE crm_fields SET check_at = check_at - make_interval(mins => :minutes)", minutes=minutes)


@pytest.mark.parametrize(("minutes", "is_due"), [(59, False), (61, True)])
def test_one_worker_makes_the_check_and_one_that_failed_is_made_again_after_an_hour(engine, minutes, is_due):
    assert [begin_field_check(engine) for _ in range(2)] == [True, False]
    let_pass(engine, minutes)
    assert begin_field_check(engine) is is_due


@pytest.mark.parametrize(("hours", "is_due"), [(22.9, False), (23.1, True)])
def test_a_check_that_was_made_is_made_again_the_next_day(engine, hours, is_due):
    record_field_check(engine, [])
    let_pass(engine, round(60 * hours))
    assert begin_field_check(engine) is is_due


def test_what_was_found_is_read_again(engine):
    assert read_field_check(engine) == FieldCheck([], None, None)
    record_field_check(engine, ["Phone"])
    record_missing_records(engine, 2)
    found = read_field_check(engine)
    assert (found.missing, found.missing_records, found.checked_at is not None) == (["Phone"], 2, True)
