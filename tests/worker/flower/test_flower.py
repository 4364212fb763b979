"""Flower as the Procfile starts it: its login, the pages of the outbox, and what operators change on them."""

import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import psycopg
import pytest
import requests
from psycopg import sql

from leads.crm_state import note_run
from leads.db import connect_engine
from leads.ids import short_id
from leads.outbox.find import read_timeline
from leads.outbox.pause import read_destinations
from leads.settings import read_settings
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead
from tools.run.plan import read_procfile
from tools.servers.server_process import ROOT
from tools.servers.state_files import free_port
from tools.servers.waiting import wait_until

pytestmark = pytest.mark.slow
LOGIN = "operator:a long one"
PATHS = ("/workers", "/tasks", "/broker", "/metrics", "/api/workers", "/api/tasks", "/outbox")


class Flower:
    """A running Flower: its requests, with the login unless told otherwise."""

    def __init__(self, port):
        self.port, self.browser = port, requests.Session()
        self.browser.trust_env = False  # no proxy

    def ask(self, path, *, login=LOGIN, form=None):
        """The answer and its text."""
        auth = tuple(login.split(":", 1)) if login else None
        method, url = "GET" if form is None else "POST", f"http://127.0.0.1:{self.port}{path}"
        answer = self.browser.request(method, url, data=form, auth=auth, allow_redirects=False, timeout=20)
        return answer, answer.text

    def is_ready(self):
        try:
            return self.ask("/healthcheck", login=None)[0].status_code == 200
        except OSError:
            return False


@pytest.fixture(scope="module")
def flower_environment(module_database_url, valkey):
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DATABASE_URL": module_database_url,
        "REDIS_URL": valkey.url,
        "FLOWER_BASIC_AUTH": LOGIN,
    }


@contextmanager
def start_flower(variables):
    flower = Flower(free_port())
    environment = {**variables, "FLOWER_PORT": str(flower.port)}
    process = subprocess.Popen(["sh", "-c", read_procfile()["flower"]], cwd=ROOT, env=environment)
    try:
        assert wait_until(flower.is_ready, 60)
        yield flower
    finally:
        flower.browser.close()
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def module_engine(module_database_url):
    engine = connect_engine(read_settings({"DATABASE_URL": module_database_url}).database_url, pool=4, name="test")
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def store(module_engine):
    """Store a lead in a state, which has failed with a code unless it is pending."""

    def store(state, error="BUSY: x", **owed):
        row_id = record_lead(module_engine, LEAD, owed={"zoho": 0.0, **owed}).id
        if state != "pending":
            failed = "status = :state, retry_count = 2, last_retry_at = now(), last_error = :error"
            change(
                module_engine, f"UPDATE deliveries SET {failed} WHERE id = :id", state=state, error=error, id=row_id
            )
        return row_id

    return store


@pytest.fixture(scope="module")
def rows(store, module_engine):
    """A retrying, a dead and a pending lead, and one with a record whose mail to the visitor is dead."""
    ids = {
        "retrying": store("retrying", "RECORD_LOCKED: x"),
        "dead": store("dead", "INVALID_DATA: y"),
        "pending": store("pending"),
        "message": store("dead", "SMTP_550: recipient refused", visitor=0.0),
    }
    sent = "UPDATE deliveries SET status = 'sent', sent_at = now(), record_id = '488800000000123456'"
    change(module_engine, f"{sent} WHERE id = :id AND destination = 'zoho'", id=ids["message"])
    return ids


@pytest.fixture(scope="module")
def flower(flower_environment, rows):
    with start_flower(flower_environment) as flower:
        yield flower


# The login --------------------------------------------------------------------------------------------------------


def test_everything_but_the_health_check_needs_the_login(flower_environment, tmp_path, capfd):
    (tmp_path / "flower_basic_auth").write_text("operator:from a file\n")
    variables = {**flower_environment, "FLOWER_BASIC_AUTH": "", "CREDENTIALS_DIRECTORY": str(tmp_path)}
    with start_flower(variables) as flower:
        for given, expected in ((None, 401), ("operator:a wrong one", 401), ("operator:from a file", 200)):
            statuses = {path: flower.ask(path, login=given)[0].status_code for path in PATHS}
            assert statuses == dict.fromkeys(PATHS, expected)
        answer, _ = flower.ask("/workers", login="operator:from a file")
        assert answer.headers.get("X-Frame-Options") == "DENY"
        assert answer.headers.get("Content-Security-Policy") == "frame-ancestors 'none'"
        assert answer.headers.get("Server") is None
    assert "celery.chord" not in "".join(capfd.readouterr())  # Flower's own start lists every task


def why_it_ends(variables):
    command = ["sh", "-c", read_procfile()["flower"]]
    ended = subprocess.run(
        command, cwd=ROOT, env=variables, check=False, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize("login", ["", "operator:"])
def test_flower_does_not_start_without_a_login_and_says_so_in_one_line(flower_environment, login):
    why = why_it_ends({**flower_environment, "FLOWER_BASIC_AUTH": login})
    assert "FLOWER_BASIC_AUTH must be user:password" in why


def test_flower_names_a_port_that_is_taken(flower_environment):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        why = why_it_ends({**flower_environment, "FLOWER_PORT": str(port)})
    assert f"--port={port}: Address already in use" in why
    assert "set FLOWER_PORT to another port" in why


# What the pages show ----------------------------------------------------------------------------------------------


def shown(flower, query=""):
    """The beginnings of the ids on the page."""
    answer, text = flower.ask(f"/outbox?{query}")
    assert answer.status_code == 200
    return set(re.findall(r'href="/outbox/([0-9a-f]{8}-[0-9a-f]{4})', text))


def short(rows, *names):
    return {short_id(rows[name]) for name in names}


def test_the_page_shows_what_waits_and_why(flower, rows, module_engine):
    assert shown(flower, "state=") == short(rows, "retrying", "pending")
    assert shown(flower, "state=all") == short(rows, *rows)
    assert shown(flower, "state=all&code=INVALID_DATA&since=1") == short(rows, "dead")
    assert shown(flower, "state=all&to=visitor") == short(rows, "message")
    _, text = flower.ask("/outbox?state=")
    (lead,) = rows_of(module_engine, "SELECT reference FROM leads WHERE id = :id", id=rows["retrying"])
    assert lead["reference"] in text
    assert "1 retrying lead to zoho: RECORD_LOCKED" in text
    assert ">its turn comes</td>" in text


def verdict(flower):
    """The verdict's own element: its colour, its words, and its HTML."""
    _, text = flower.ask("/outbox")
    (color,) = re.findall(r'<div class="outbox-verdict outbox-(\w+)" id="outbox-verdict"', text)
    found = text.split('id="outbox-verdict"')[1].partition(">")[2].split("<section")[0]
    return color, unescape(" ".join(re.sub(r"<[^>]+>", " ", found).split())), found


def test_the_verdict_is_red_for_dead_rows_and_for_workers_that_do_not_look(flower, rows):
    color, words, text = verdict(flower)
    assert color == "bad"
    assert "Workers: none has looked for due rows yet: nothing is delivered" in words
    assert "Refused: 1 to zoho GIVEN UP (INVALID_DATA: y)" in words
    assert "`" not in words
    assert "<code>make ops CMD=&quot;redrive --code&quot;</code>" in text
    assert "code=INVALID_DATA" in text


def test_the_list_below_is_of_what_the_verdict_speaks_of_and_one_button_sends_all_of_a_code(flower, rows):
    assert shown(flower) == short(rows, "dead")
    _, text = flower.ask("/outbox")
    (button,) = re.findall(r'value="(redriven [^"]*INVALID_DATA[^"]*)"', text)
    assert "Send again: 1 row" in ask(flower, unescape(button))[1]


def test_a_first_failure_is_amber_a_minute_of_them_red_and_an_answer_green(
    flower_environment, database_url, engine
):
    note = "INSERT INTO attempts (kind, row_id, event, code, at) VALUES ('lead', :id, :event, :code, {})"
    with start_flower({**flower_environment, "DATABASE_URL": database_url}) as flower:

        def judged():
            change(engine, "UPDATE destinations SET seen_at = now()")
            return verdict(flower)[:2]

        assert judged()[0] == "good"
        row = record_lead(engine, LEAD).id
        for age, color in ((40, "warn"), (61, "bad")):
            failed = note.format(f"now() - interval '{age} s'")
            change(engine, failed, id=row, event="retry", code="CONNECTION_LOST")
            found, words = judged()
            assert (found, f"The CRM has failed for {age}" in words, "1 lead waits" in words) == (color, True, True)
        change(engine, note.format("now()"), id=row, event="sent", code="SENT")
        change(engine, "UPDATE deliveries SET status = 'sent', sent_at = now() WHERE id = :id", id=row)
        found, words = judged()
        assert (found, words.startswith("Calls to the CRM flow")) == ("good", True)


def test_periodic_work_is_seen_with_its_last_run_result_and_next_one(flower, module_engine):
    note_run(module_engine, "retain", "3 of lead")
    _, text = flower.ask("/outbox/periodic")
    lines = [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in text.split("<tr>")[2:]]
    found = {words: rest for words, *rest in lines}
    assert found["delete what is past its term"][1] == "3 of lead"
    assert re.fullmatch(r"\d\d:\d\d:\d\d|\d\d \w+ .*", found["delete what is past its term"][2])
    assert found["erase in the CRM"] == ["-", "never", "-"]
    assert "compare with the CRM (reconcile)" in found


def test_flowers_first_page_is_the_outbox_its_broker_says_where_rows_wait_and_it_stops_no_worker(flower):
    answer, _ = flower.ask("/")
    assert (answer.status_code, answer.headers.get("Location")) == (302, "/outbox")
    assert 'stands in the <a href="/outbox">outbox</a>' in flower.ask("/broker")[1]
    assert post(flower, "/api/worker/shutdown/w1", [])[0].status_code == 403


def test_a_rows_page_has_its_messages_and_whose_each_attempt_was(flower, rows, module_engine):
    words = "INSERT INTO attempts (destination, kind, row_id, event) VALUES ('visitor', 'lead', :id, 'refused')"
    change(module_engine, words, id=rows["message"])
    _, text = flower.ask(f"/outbox/{rows['message']}")
    cells = [" ".join(cell.split()) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", text, re.DOTALL)]
    assert cells[cells.index("visitor") + 1] == "dead"
    assert cells[cells.index("refused") - 1] == "visitor"


def test_nothing_personal_is_on_any_page(flower, rows):
    pages = [flower.ask("/outbox?state=all")[1], *(flower.ask(f"/outbox/{row_id}")[1] for row_id in rows.values())]
    personal = [LEAD["email"], LEAD["surname"], LEAD["phone"], LEAD["phone_e164"]]
    assert [word for word in personal if any(word in page for page in pages)] == []


def test_odd_filters_and_ids_are_harmless(flower):
    assert flower.ask("/outbox?state=%27;--&since=nan&code=%3Cscript%3E")[0].status_code == 200
    for page in ("abc", "-1", "0", "%C2%B2", "9" * 30):
        assert flower.ask(f"/outbox?page={page}&order=x")[0].status_code == 200
    assert "<script>" not in flower.ask("/outbox?code=%3Cscript%3E")[1].split("outbox-filters")[2]
    assert flower.ask("/outbox/00000000-0000-0000-0000-000000000000")[0].status_code == 404


def test_a_row_is_found_by_its_record_and_several_by_a_person_who_is_not_shown(flower, rows):
    def find(word):
        return post(flower, "/outbox/find", [("word", word)])

    answer, _ = find("488800000000123456")
    assert (answer.status_code, answer.headers.get("Location")) == (302, f"/outbox/{rows['message']}")
    _, text = find(LEAD["email"])
    assert "4 rows, the newest first" in text
    assert {f"/outbox/{row_id}" for row_id in rows.values()} <= set(re.findall(r'href="([^"]+)"', text))
    assert LEAD["email"] not in text
    assert "No row has that id" in find("nobody@example.com")[1]
    assert flower.ask("/outbox/find", form={"word": LEAD["email"]})[0].status_code == 403


# What operators change: asked for once, done with a reason, and recorded ------------------------------------------


def states(engine, row_id):
    found = rows_of(engine, "SELECT destination, status FROM deliveries WHERE id = :id", id=row_id)
    return {row["destination"]: row["status"] for row in found}


def post(flower, address, form):
    """Send a form with the token that the outbox's page gives; the answer and its text."""
    token = re.search(r'name="_xsrf" value="([^"]+)"', flower.ask("/outbox")[1])
    return flower.ask(address, form=[("_xsrf", token[1]), *form])


def ask(flower, action, **fields):
    """Press a button as a browser does; the question."""
    form = [("action", action), *((name, one) for name, some in fields.items() for one in some)]
    return post(flower, "/outbox/ask", form)


def say_yes(flower, question, why):
    """Fill in the question's form, with all that is hidden in it; the answer's status and where it leads."""
    _, text = question
    hidden = re.findall(r'<input type="hidden" name="(?!_xsrf)([^"]+)" value="([^"]*)"', text)
    fields = [(name, unescape(value)) for name, value in hidden]
    answer, _ = post(flower, "/outbox/do", [*fields, ("why", why)])
    return answer.status_code, answer.headers.get("Location")


def do(flower, action, why="a test", **fields):
    return say_yes(flower, ask(flower, action, **fields), why)


def test_a_change_needs_the_token_a_reason_and_something_that_is_there(flower, rows):
    dead = ("row", f"zoho/{rows['dead']}")
    assert flower.ask("/outbox/ask", form=[("action", "redriven"), dead])[0].status_code == 403
    assert do(flower, "redriven", "", row=[dead[1]])[0] == 400
    assert ask(flower, "burned")[0].status_code == 400
    assert ask(flower, "redriven", row=["zoho/nonsense"])[0].status_code == 400
    assert ask(flower, "pause fax")[0].status_code == 400
    for asked in ("soon", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"):
        form = [("action", "redriven"), dead, ("why", "a test"), ("asked", asked)]
        assert post(flower, "/outbox/do", form)[0].status_code == 400


def test_all_that_match_are_changed_and_nothing_that_came_after_the_question(flower, store, module_engine):
    before = [store("dead"), store("dead")]
    filters = {"state": ["dead"], "code": ["BUSY"], "which": ["all"]}
    question = ask(flower, "redriven", **filters)
    assert "Send again: 2 rows" in question[1]
    after = store("dead")
    status, back = say_yes(flower, question, "the field was mended")
    assert (status, back) == (302, "/outbox?state=dead&code=BUSY&order=oldest")
    assert [states(module_engine, row)["zoho"] for row in (*before, after)] == ["pending", "pending", "dead"]
    (line,) = read_timeline(module_engine, before[0])
    assert line["detail"] == "by operator (Flower): the field was mended"


def test_a_chosen_row_alone_is_changed_and_one_that_is_not_concerned_says_so(flower, rows, store, module_engine):
    held, other = store("held"), store("held")
    assert do(flower, "released", row=[f"zoho/{held}"])[0] == 302
    assert [states(module_engine, row) for row in (held, other)] == [{"zoho": "pending"}, {"zoho": "held"}]
    for fields in ({"row": [f"zoho/{rows['pending']}"]}, {"which": ["all"], "state": ["skipped"]}, {}):
        _, text = ask(flower, "redriven", **fields)
        assert "None of these rows is dead or refused or retrying." in text
        assert 'name="why"' not in text


def test_calls_to_one_destination_are_paused_and_resumed(flower, module_engine):
    assert "Pause calls to visitor" in ask(flower, "pause visitor")[1]
    assert do(flower, "pause visitor", "maintenance")[0] == 302
    paused = read_destinations(module_engine)["visitor"]
    assert (paused.reason, paused.detail, paused.changed_by) == ("paused", "maintenance", "operator (Flower)")
    assert 'value="resume visitor"' in flower.ask("/outbox")[1]
    assert do(flower, "resume visitor", "done")[0] == 302
    assert {name for name, each in read_destinations(module_engine).items() if each.reason} == set()


# A database that restarts, or is gone -----------------------------------------------------------------------------


def test_a_database_that_is_gone_is_named(flower, postgres, module_database_url):
    name = sql.Identifier(module_database_url.rsplit("/", 1)[1])
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^flower '"
        )
        answer, text = flower.ask("/outbox")
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
    assert answer.status_code == 503
    assert answer.headers.get("Refresh") == "5; url=/outbox"
    assert 'class="outbox-verdict outbox-bad"' in text
    assert "NO ENQUIRY CAN BE STORED (PostgreSQL does not answer: OperationalError)" in text
    assert "Visitors are asked" in text
    assert 'href="/tasks"' in text  # the same frame as ever
    assert flower.ask("/outbox")[0].status_code == 200
