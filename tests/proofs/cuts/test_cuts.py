"""The cutter numbers what is exchanged, cuts it, and sees a rule that was taken out of the product.

`make cuts` goes through all cuts of all journeys.
"""

from __future__ import annotations

import pytest
from sqlalchemy import text

from leads.outbox import lease
from proofs.cuts.cut import Cut, Exchange, Kind
from proofs.cuts.journeys import JOURNEYS
from proofs.cuts.report import ABOUT, Tally, failure, page
from proofs.cuts.run import play

LEAD = next(journey for journey in JOURNEYS if journey.name == "lead")


@pytest.fixture(scope="module")
def lead(server_url):
    return play(server_url, LEAD)


def cut(verdict, what: str, how: str) -> Cut:
    """The cut of the first exchange with these words."""
    return Cut(next(each.number for each in verdict.exchanges if what in each.what), how)


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.name)
def test_a_journey_holds_as_it_is(server_url, journey):
    verdict = play(server_url, journey, traced=True)
    assert verdict.violations == (), failure(verdict, 60)
    kinds = {exchange.kind for exchange in verdict.exchanges}
    assert {Kind.STATEMENT, Kind.CALL, Kind.BELL} <= kinds
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


def test_a_silence_of_the_database_that_is_charged_to_a_row_is_seen(server_url, lead, monkeypatch):
    charged = str(lease._LOST).replace("'DATABASE_SILENT'", "'WORKER_LOST'")
    monkeypatch.setattr(lease, "_LOST", text(charged))
    verdict = play(server_url, LEAD, [cut(lead, "mark", "database stands still")])
    assert [broken.partition(":")[0] for broken in verdict.violations] == ["only a lost worker is charged"]


def test_a_late_failure_that_overwrites_a_success_is_seen_by_a_pair_of_cuts(server_url, monkeypatch):
    unfenced = lease._MARK.replace("(t.status = 'sending' AND t.next_retry_at = v.lease)", "true")
    assert unfenced != lease._MARK
    monkeypatch.setattr(lease, "_MARK", unfenced)
    journey = next(journey for journey in JOURNEYS if journey.name == "side-by-side")
    whole = play(server_url, journey)
    pair = [cut(whole, "upsert", "500"), cut(whole, "mark", "freezes")]
    verdict = play(server_url, journey, pair)
    assert len(verdict.made) == 2
    assert verdict.violations[0].startswith("success is monotone")


def test_a_cut_is_read_as_it_is_written():
    assert Cut.parse(str(Cut(17, "reply lost"))) == Cut(17, "reply lost")
    with pytest.raises(ValueError, match="is no cut"):
        Cut.parse("reply lost")


def test_a_visitor_is_not_killed_with_a_worker():
    hows = [each.how for each in Exchange(1, Kind.STATEMENT, "visitor 1", "insert into leads").cuts()]
    assert "answer lost" in hows
    assert "dies after" not in hows


def test_the_page_counts_what_was_cut_and_keeps_the_rows_of_other_journeys(lead):
    tally = Tally(LEAD, lead.exchanges, singles=190, pairs=0)
    tally.add(lead)
    before = "## Report\n\n| click | as before |\n| lead | old |\n"
    text = page([tally], before)
    assert text.startswith(ABOUT)
    assert "| click | as before |" in text
    assert "| lead | old |" not in text
    assert "| 190 | 0 | 0 |" in text
