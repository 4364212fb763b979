"""What operators change on the outbox's pages: asked for once, done with a reason, and recorded."""

from __future__ import annotations

import re
from html import unescape

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.pause import read_destinations
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead

pytestmark = pytest.mark.slow


def states(engine, row_id):
    found = rows_of(engine, "SELECT destination, status FROM deliveries WHERE id = :id", id=row_id)
    return {row["destination"]: row["status"] for row in found}


def post(flower, page, address, form):
    """Send a form with the token and the cookie that a page gave; the answer and its text."""
    answer, text = page
    token = re.search(r'name="_xsrf" value="([^"]+)"', text)
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    return flower.ask(address, form=[("_xsrf", token[1]), *form], headers={"Cookie": cookie})


def ask(flower, action, *, page="/outbox", **fields):
    """Press a button as a browser does; the question."""
    form = [("action", action), *((name, one) for name, some in fields.items() for one in some)]
    return post(flower, flower.ask(page), "/outbox/ask", form)


def say_yes(flower, question, why):
    """Fill in the question's form, with all that is hidden in it; the answer's status and where it leads."""
    _, text = question
    hidden = re.findall(r'<input type="hidden" name="(?!_xsrf)([^"]+)" value="([^"]*)"', text)
    fields = [(name, unescape(value)) for name, value in hidden]
    token = flower.ask("/outbox")
    answer, _ = post(flower, token, "/outbox/do", [*fields, ("why", why)])
    return answer.status, answer.getheader("Location")


def do(flower, action, why="a test", **fields):
    return say_yes(flower, ask(flower, action, **fields), why)


@pytest.fixture
def lead(module_engine):
    """Another lead in a state."""

    def store(state, **owed):
        row_id = record_lead(module_engine, LEAD, owed={"zoho": 0.0, **owed}).id
        change(
            module_engine,
            "UPDATE deliveries SET status = :state, retry_count = 2, last_retry_at = now(), last_error = 'BUSY: x',"
            " next_retry_at = now() + interval '1 hour' WHERE id = :id",
            state=state,
            id=row_id,
        )
        return row_id

    return store


def test_a_change_needs_the_token_a_reason_and_something_that_is_there(flower, rows):
    dead = ("row", f"zoho/{rows['dead']}")
    assert flower.ask("/outbox/ask", form=[("action", "redriven"), dead])[0].status == 403
    assert do(flower, "redriven", "", row=[dead[1]])[0] == 400
    assert ask(flower, "burned")[0].status == 400
    assert ask(flower, "redriven", row=["zoho/nonsense"])[0].status == 400
    assert ask(flower, "pause fax")[0].status == 400
    for asked in ("soon", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"):
        form = [("action", "redriven"), dead, ("why", "a test"), ("asked", asked)]
        assert post(flower, flower.ask("/outbox"), "/outbox/do", form)[0].status == 400


def test_a_dead_row_is_sent_again_and_it_is_recorded(flower, lead, module_engine):
    dead = lead("dead")
    question = ask(flower, "redriven", row=[f"zoho/{dead}"])
    assert "Send again: 1 row" in question[1]
    assert states(module_engine, dead) == {"zoho": "dead"}
    assert say_yes(flower, question, "the field was mended")[0] == 302
    assert states(module_engine, dead) == {"zoho": "pending"}
    assert [line["detail"] for line in read_timeline(module_engine, dead)] == [
        "by operator (Flower): the field was mended"
    ]


def test_all_that_match_are_changed_and_nothing_that_came_after_the_question(flower, lead, module_engine):
    before = [lead("dead"), lead("dead")]
    filters = {"state": ["dead"], "code": ["BUSY"], "which": ["all"]}
    question = ask(flower, "redriven", **filters)
    assert "Send again: 2 rows" in question[1]
    after = lead("dead")
    status, back = say_yes(flower, question, "a test")
    assert (status, back) == (302, "/outbox?state=dead&code=BUSY&order=oldest")
    assert [states(module_engine, row)["zoho"] for row in (*before, after)] == ["pending", "pending", "dead"]
    assert do(flower, "redriven", **filters)[0] == 302


def test_a_change_that_concerns_no_row_says_so(flower, rows):
    for fields in ({"row": [f"zoho/{rows['pending']}"]}, {"which": ["all"], "state": ["held"]}, {}):
        _, text = ask(flower, "redriven", **fields)
        assert "None of these rows is dead or refused or retrying." in text
        assert 'name="why"' not in text


def test_a_held_lead_is_released_with_all_that_is_owed_for_it(flower, lead, module_engine):
    row = lead("held", visitor=0.0)
    assert do(flower, "released", row=[f"zoho/{row}"])[0] == 302
    assert states(module_engine, row) == {"zoho": "pending", "visitor": "pending"}


@pytest.mark.parametrize("destination", ["zoho", "visitor"])
def test_calls_to_one_destination_are_paused_and_resumed(flower, module_engine, destination):
    assert "Pause calls to" in ask(flower, f"pause {destination}")[1]
    assert do(flower, f"pause {destination}", "maintenance")[0] == 302
    found = read_destinations(module_engine)
    paused = found[destination]
    assert (paused.reason, paused.detail, paused.changed_by) == ("paused", "maintenance", "operator (Flower)")
    assert found["staff-mail"].reason is None
    assert f'value="resume {destination}"' in flower.ask("/outbox")[1]
    assert do(flower, f"resume {destination}", "done")[0] == 302
    assert read_destinations(module_engine)[destination].reason is None
