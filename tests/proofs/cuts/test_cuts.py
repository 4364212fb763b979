"""The cutter numbers what is exchanged, cuts it, and sees a rule that was taken out of the product.

`make cuts` goes through all cuts of all journeys.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import text
from worker.crm.send import Item

from api.limits.start_token import StartTokens
from leads.outbox import gate, lease
from leads.outbox.holds import Held
from proofs.cuts import cutter
from proofs.cuts.cut import Cut, Exchange, Kind
from proofs.cuts.journeys import JOURNEYS
from proofs.cuts.report import failure
from proofs.cuts.run import play
from proofs.simulation.oracle import REFUSED
from proofs.simulation.people import PERSONS
from worker.crm import send
from worker.destinations import crm


def journey(name):
    return next(journey for journey in JOURNEYS if journey.name == name)


LEAD = journey("lead")
WITHOUT_CRM = ("retention",)  # deleting asks nobody


@pytest.fixture(scope="module")
def lead(server_url):
    return play(server_url, LEAD)


def cut(verdict, what: str, how: str) -> Cut:
    """The cut of the first exchange with these words."""
    return Cut(next(each.number for each in verdict.exchanges if what in each.what), how)


def take_out(monkeypatch, module, name, old, new):
    """Put a fault into a statement of the product."""
    before = str(getattr(module, name))
    assert old in before
    monkeypatch.setattr(module, name, text(before.replace(old, new, 1)))


@pytest.mark.parametrize("which", JOURNEYS, ids=lambda which: which.name)
def test_a_journey_holds_as_it_is(server_url, which):
    verdict = play(server_url, which, traced=True)
    assert verdict.violations == (), failure(verdict, 60)
    kinds = {exchange.kind for exchange in verdict.exchanges}
    assert Kind.STATEMENT in kinds
    assert (Kind.CALL in kinds) == (which.name not in WITHOUT_CRM)
    assert [exchange.number for exchange in verdict.exchanges] == [*range(1, len(verdict.exchanges) + 1)]


@pytest.mark.parametrize(
    ("what", "how"),
    [
        ("insert into leads", "answer lost"),
        ("ring", "Redis goes"),
        ("take a slot", "database stands still"),
        ("claim", "dies after"),
        ("begin the call", "freezes"),
        ("upsert", "500 after commit"),
        ("upsert", "dies in it"),
        ("mark", "done too late"),
        ("mark", "cancelled"),
        ("staff.example", "reply lost"),
    ],
)
def test_a_cut_comes_about_and_the_promises_are_kept(server_url, lead, what, how):
    verdict = play(server_url, LEAD, [cut(lead, what, how)], traced=True)
    assert verdict.violations == (), failure(verdict, 60)
    (made,) = verdict.made
    assert what in made
    assert made.endswith(how)


def test_a_row_that_is_charged_for_a_call_that_had_not_begun_is_seen(server_url, lead, monkeypatch):
    take_out(monkeypatch, lease, "_LOST", "'NOT_SENT'", "'WORKER_LOST'")
    verdict = play(server_url, LEAD, [cut(lead, "claim", "answer lost")])
    assert [broken.partition(":")[0] for broken in verdict.violations] == ["only a lost worker is charged"]


def test_a_late_failure_that_overwrites_a_success_is_seen_by_a_pair_of_cuts(server_url, monkeypatch):
    unfenced = lease._MARK.replace("(t.status = 'sending' AND t.next_retry_at = v.lease)", "true")
    assert unfenced != lease._MARK
    monkeypatch.setattr(lease, "_MARK", unfenced)
    whole = play(server_url, journey("side-by-side"))
    pair = [cut(whole, "upsert", "500"), cut(whole, "mark", "freezes")]
    verdict = play(server_url, journey("side-by-side"), pair)
    assert len(verdict.made) == 2
    assert verdict.violations[0].startswith("success is monotone")


def test_a_database_that_was_away_at_a_rows_cost_is_seen(server_url, lead, monkeypatch):
    away = cut(lead, "mark", "database is away")
    take_out(monkeypatch, lease, "_LOST", "now() - cast(:last AS timestamptz) > make_interval(secs => :patience)",
             "CAST(:last AS timestamptz) IS NULL AND :patience = 0")  # fmt: skip
    verdict = play(server_url, LEAD, [away])
    assert [broken.partition(":")[0] for broken in verdict.violations] == ["only a lost worker is charged"]


def test_a_clock_that_steps_back_and_holds_an_honest_visitor_is_seen(server_url, monkeypatch):
    read, repeat = StartTokens.read, journey("repeat")

    def as_it_was(tokens, sent):
        start = read(tokens, sent)
        return replace(start, problem=Held.TOO_FAST) if start.age < 0 else start

    stored = cut(play(server_url, repeat), "insert into leads", "clock goes back")
    assert play(server_url, repeat, [stored]).violations == ()
    monkeypatch.setattr(StartTokens, "read", as_it_was)
    assert play(server_url, repeat, [stored]).violations[0] == "nothing dead or held: ['held']"


def crowd(name, act, markers):
    """That many enquiries at once, with these markers, before something else happens."""

    def begin(world, start):
        for number, marker in enumerate(markers, 1):
            world.at(start, partial(world.people.enquire, number, number % PERSONS, marker))
        act(world, start)

    return replace(journey(name), act=begin)


def test_a_row_without_a_mapping_that_holds_the_others_is_seen(server_url, monkeypatch):
    def wait_for_worker(world, start):
        world.at(start - 1, partial(world.pool.set_wanted, 0))
        world.at(start + 20, partial(world.pool.set_wanted, 1))

    def fail(row, config):
        if REFUSED in (row.values["surname"] or ""):
            raise ValueError("unmapped")
        return mapped(row, config)

    mapped, batch = send.record_of, crowd("bad-row", wait_for_worker, ["", REFUSED, ""])
    monkeypatch.setattr(send, "record_of", fail)
    assert [broken.count("MAPPING_FAILED") for broken in play(server_url, batch).violations] == [1]
    monkeypatch.setattr(crm, "prepare", lambda rows, config: ([Item(row, fail(row, config)) for row in rows], []))
    with pytest.raises(ValueError, match="unmapped"):  # leaves the whole claim to its lease
        play(server_url, batch)


@pytest.mark.slow
def test_a_gate_that_moves_all_rows_before_it_opens_is_seen(server_url, monkeypatch):
    outage = crowd("outage", journey("outage").act, [""] * 60)
    monkeypatch.setattr(cutter, "FAILING_SECONDS", 1e6)
    moved = cut(play(server_url, outage), "update deliveries", "cancelled for two minutes")
    assert play(server_url, outage, [moved]).violations == ()
    take_out(monkeypatch, gate, "_OPEN", "UPDATE gates", """
        WITH moved AS (
            UPDATE deliveries SET next_retry_at = now() WHERE destination = :destination AND status = 'retrying'
        ) UPDATE gates""")  # fmt: skip
    moved = cut(play(server_url, outage), "update deliveries", "cancelled for two minutes")
    assert play(server_url, outage, [moved]).violations[0].startswith("delivered without help")


def test_a_cut_is_read_as_it_is_written():
    assert Cut.parse(str(Cut(17, "reply lost"))) == Cut(17, "reply lost")
    with pytest.raises(ValueError, match="is no cut"):
        Cut.parse("reply lost")


def test_a_visitor_is_not_killed_with_a_worker():
    hows = [each.how for each in Exchange(1, Kind.STATEMENT, "visitor 1", "insert into leads").cuts()]
    assert "answer lost" in hows
    assert "dies after" not in hows
