"""The page of the outbox: what it shows, and what it never shows."""

from __future__ import annotations

import re
from html import escape

import psycopg
import pytest
from psycopg import sql

from leads.advice import ADVICE
from leads.ids import short_id
from leads.lifecycle import Reason
from leads.outbox.pause import pause, resume
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

pytestmark = pytest.mark.slow


def shown(flower, query=""):
    """The beginnings of the ids on the page."""
    answer, text = flower.ask(f"/outbox?{query}")
    assert answer.status == 200
    return set(re.findall(r'href="/outbox/([0-9a-f]{8}-[0-9a-f]{4})', text))


def short(rows, *names):
    return {short_id(rows[name]) for name in names}


def test_the_page_shows_what_waits_and_why(flower, rows, module_engine):
    assert shown(flower) == short(rows, "retrying", "pending")
    assert shown(flower, "state=all") == short(rows, *rows)
    assert shown(flower, "state=all&code=INVALID_DATA") == short(rows, "dead")
    assert shown(flower, "state=all&since=1") == short(rows, *rows)
    _, text = flower.ask("/outbox")
    (lead,) = rows_of(module_engine, "SELECT reference FROM leads WHERE id = :id", id=rows["retrying"])
    assert "RECORD_LOCKED" in text
    assert lead["reference"] in text
    assert "1 retrying lead to zoho: RECORD_LOCKED" in text
    assert "<td>due</td>" in text
    assert "<td>its turn comes</td>" in text
    assert "oldest undelivered" in text


def verdict(flower):
    """The verdict's class and its words."""
    _, text = flower.ask("/outbox")
    found = re.search(
        r'<div class="outbox-verdict (\S+)" id="outbox-verdict">(.*?)<div class="outbox-muted">', text, re.DOTALL
    )
    return found[1], " ".join(re.sub(r"<[^>]+>", " ", found[2]).split())


def test_the_verdict_is_red_for_dead_rows_and_for_workers_that_do_not_look(flower, rows):
    look, words = verdict(flower)
    assert look == "outbox-bad"
    assert "Workers: none has looked for due rows yet: nothing is delivered" in words
    assert "Refused: 2 to zoho GIVEN UP; 1 to staff-mail GIVEN UP" in words


def test_flowers_first_page_is_the_outbox_and_its_broker_says_where_rows_wait(flower):
    answer, _ = flower.ask("/")
    assert (answer.status, answer.getheader("Location")) == (302, "/outbox")
    assert 'stands in the <a href="/outbox">outbox</a>' in flower.ask("/broker")[1]


def test_the_page_is_narrowed_to_whom_something_is_owed(flower, rows):
    assert shown(flower, "state=all&to=visitor") == short(rows, "message")
    assert shown(flower, "state=all&to=zoho") == short(rows, "retrying", "pending", "dead", "click")
    assert shown(flower, "state=dead&to=staff-webhook") == set()
    _, text = flower.ask("/outbox?state=dead&to=staff-mail")
    assert "1 dead lead to staff-mail: SMTP_550" in text
    assert "to zoho:" not in text
    assert '<option value="staff-mail" selected>' in text


def destinations(text):
    """The page's table of destinations: its cells by name."""
    table = text.split("<h2>Destinations</h2>")[1].split("</table>")[0]
    lines = [re.findall(r"<td[^>]*>(.*?)</td>", line, re.DOTALL) for line in table.split("<tr>")[2:]]
    cells = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in line] for line in lines]
    return {name: rest for name, *rest in cells}


def test_the_destinations_are_shown_with_their_pauses(flower, rows, module_engine):
    found = destinations(flower.ask("/outbox")[1])
    assert set(found) == {"zoho", "visitor", "staff-mail", "staff-webhook"}
    assert found["visitor"] == ["flow", "0", "-", "1", "0", "0", "Pause …"]
    pause(module_engine, "staff-mail", Reason.PAUSED, "a new mailbox", by="ada")
    _, text = flower.ask("/outbox")
    resume(module_engine, "staff-mail", by="ada")
    assert destinations(text)["staff-mail"][0] == "paused: paused a new mailbox; until an operator resumes"
    assert destinations(text)["visitor"][0] == "flow"


def test_a_rows_page_has_its_messages_and_whose_each_attempt_was(flower, rows, module_engine):
    change(
        module_engine,
        "INSERT INTO attempts (destination, kind, row_id, event, code)"
        " VALUES ('visitor', 'lead', :id, 'refused', 'SMTP_550')",
        id=rows["message"],
    )
    _, text = flower.ask(f"/outbox/{rows['message']}")
    cells = [" ".join(cell.split()) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", text, re.DOTALL)]
    assert cells[cells.index("visitor") + 1] == "dead"
    assert cells[cells.index("refused") - 1] == "visitor"


def test_nothing_personal_is_on_any_page(flower, rows):
    pages = [flower.ask("/outbox?state=all")[1], *(flower.ask(f"/outbox/{row_id}")[1] for row_id in rows.values())]
    personal = [LEAD["email"], LEAD["surname"], LEAD["phone"], LEAD["phone_e164"]]
    assert [word for word in personal if any(word in page for page in pages)] == []


def test_odd_filters_and_ids_are_harmless(flower):
    assert flower.ask("/outbox?state=%27;--&since=nan&code=%3Cscript%3E")[0].status == 200
    for page in ("abc", "-1", "0", "%C2%B2", "9" * 30):
        assert flower.ask(f"/outbox?page={page}&order=x")[0].status == 200
    assert "<script>" not in flower.ask("/outbox?code=%3Cscript%3E")[1].split("outbox-filters")[2]
    assert flower.ask("/outbox/00000000-0000-0000-0000-000000000000")[0].status == 404


def find(flower, word):
    answer, text = flower.ask("/outbox")
    token = re.search(r'name="_xsrf" value="([^"]+)"', text)[1]
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    return flower.ask("/outbox/find", form={"_xsrf": token, "word": word}, headers={"Cookie": cookie})


def test_a_row_is_found_by_its_record_and_several_by_a_person_who_is_not_shown(flower, rows, module_engine):
    change(
        module_engine,
        "UPDATE deliveries SET record_id = '488800000000123456' WHERE id = :id AND destination = 'zoho'",
        id=rows["message"],
    )
    answer, _ = find(flower, "488800000000123456")
    assert (answer.status, answer.getheader("Location")) == (302, f"/outbox/{rows['message']}")
    _, text = find(flower, LEAD["email"])
    assert "4 rows, the newest first" in text
    assert {f"/outbox/{rows[name]}" for name in ("retrying", "dead", "pending", "message")} <= set(
        re.findall(r'href="([^"]+)"', text)
    )
    assert LEAD["email"] not in text
    assert "No row has that id" in find(flower, "nobody@example.com")[1]
    assert flower.ask("/outbox/find", form={"word": LEAD["email"]})[0].status == 403


def test_a_pause_says_why_and_since_when(flower, module_engine):
    pause(module_engine, "zoho", Reason.PAUSED, "the CRM moves house", by="ada")
    _, text = flower.ask("/outbox")
    resume(module_engine, "zoho", by="ada")
    assert "Calls: PAUSED (paused, by ada) since" in text
    assert escape(ADVICE["paused"]) in text
    assert "the CRM moves house; until an operator resumes" in text
    assert "<td>calls are paused: paused</td>" in text
    assert "<td>after resume</td>" in text


def test_the_first_look_after_a_restart_of_the_database_shows_the_page(flower, module_engine):
    assert flower.ask("/outbox")[0].status == 200
    ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name ~ '^flower '"
    assert rows_of(module_engine, ended)[0]["count"] > 0
    assert flower.ask("/outbox")[0].status == 200


def test_a_database_that_is_gone_is_named(flower, postgres, module_database_url):
    name = sql.Identifier(module_database_url.rsplit("/", 1)[1])
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^flower '"
        )
        answer, text = flower.ask("/outbox")
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
    assert (answer.status, "PostgreSQL does not answer. Visitors are asked" in text) == (503, True)
