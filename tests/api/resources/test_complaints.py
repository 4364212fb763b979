"""A complaint about personal data is stored under a reference and stands in the register until it is answered."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from leads.privacy.erasure import Person, erase_person, find_person
from leads.privacy.export import export_person
from tests.support.database import change, rows_of
from tests.support.site import running_site
from worker.cli.commands import operate

BODY = {"name": "Ada Sample", "email": "ada@example.com", "text": "I asked for my data and heard nothing."}


@pytest.fixture
def client(database_url):
    with running_site(DATABASE_URL=database_url) as app:
        yield app.test_client()


@pytest.fixture
def register(database_url):
    def run(*words):
        return CliRunner().invoke(operate, ["complaints", *words], env={"DATABASE_URL": database_url})

    return run


def test_a_complaint_stands_in_the_register_until_it_is_answered(client, register):
    answer = client.post("/api/complaints", json=BODY)
    assert answer.status_code == 201
    reference = answer.json["reference"]
    assert answer.json == {"success": True, "reference": "C-0000001"}
    (entry,) = json.loads(register("--json").stdout)
    assert {name: entry[name] for name in BODY} == BODY
    assert (entry["reference"], entry["answered_at"]) == (reference, None)
    assert entry["answer_by"] > entry["created_at"]
    assert register("--answered", reference, "--by", "ada").exit_code == 0
    assert "No complaint waits" in register().stdout
    (entry,) = json.loads(register("--all", "--json").stdout)
    assert entry["answered_by"] == "ada"
    assert register("--answered", reference).exit_code == 1


def test_the_same_guards_stand_before_it(client, register):
    assert client.post("/api/complaints", data="{", content_type="application/json").status_code == 400
    assert client.post("/api/complaints", data="x").status_code == 415
    assert client.post("/api/complaints", json=BODY | {"text": "x" * 70_000}).status_code == 413


def test_what_looks_like_spam_is_listed_as_held_behind_the_others(client, register):
    for body in ({"website": "https://spam.example"}, {"text": "I still wait."}):
        assert client.post("/api/complaints", json=BODY | body).status_code == 201
    entries = json.loads(register("--json").stdout)
    assert [(entry["reference"], entry["held"]) for entry in entries] == [("C-0000002", False), ("C-0000001", True)]
    assert [line.split()[0] for line in register().stdout.splitlines() if " held " in line][1:] == ["C-0000001"]
    assert register("--answered", "C-0000001", "--answered", "C-0000002").exit_code == 0
    assert "No complaint waits" in register().stdout


def test_a_persons_complaint_is_listed_whatever_strangers_filed_with_their_mailbox(database_url, register):
    # The budget of one address is the product's own.
    with running_site(DATABASE_URL=database_url, TRUSTED_PROXY_HOPS="1", COMPLAINTS_PER_ADDRESS="5") as app:
        client = app.test_client()
        for number in range(12):
            stranger = {"X-Forwarded-For": f"203.0.113.{number // 4}"}
            client.post("/api/complaints", json=BODY | {"text": f"Junk {number}"}, headers=stranger)
        answer = client.post("/api/complaints", json=BODY, headers={"X-Forwarded-For": "198.51.100.1"})
    (own,) = [entry for entry in json.loads(register("--json").stdout) if entry["text"] == BODY["text"]]
    assert (own["reference"], own["held"]) == (answer.json["reference"], False)


def test_an_erased_persons_entry_stays_without_the_person(client, engine, register):
    client.post("/api/complaints", json=BODY)
    client.post("/api/complaints", json=BODY | {"email": "bob@example.com", "name": "Bob"})
    person = Person(email="ADA@example.com")
    assert find_person(engine, person).complaints == 1
    assert [row["text"] for row in export_person(engine, person, key="")["complaints"]] == [BODY["text"]]
    assert erase_person(engine, person, by="test", key="").complaints == 1
    first, second = json.loads(register("--all", "--json").stdout)
    assert (first["reference"], first["name"], first["email"], first["text"]) == ("C-0000001", None, None, None)
    assert second["email"] == "bob@example.com"
    assert not find_person(engine, person)
    assert export_person(engine, person, key="")["complaints"] == []
    assert len(rows_of(engine, "SELECT 1 FROM erasures")) == 1


def test_two_complaints_have_two_references_and_no_ones_text_is_logged(client, caplog):
    other = BODY | {"text": "And now I heard nothing again."}
    references = {client.post("/api/complaints", json=body).json["reference"] for body in (BODY, other)}
    assert len(references) == 2
    assert "heard nothing" not in caplog.text


@pytest.mark.parametrize(
    "again", [{}, {"email": "ADA+x@example.com"}, {"text": f"  {BODY['text'].replace(' ', '  ')} "}]
)
def test_the_same_complaint_within_a_day_is_in_the_register_once(client, engine, again):
    first = client.post("/api/complaints", json=BODY)
    second = client.post("/api/complaints", json=BODY | again)
    assert (second.status_code, second.json) == (201, first.json)
    assert len(rows_of(engine, "SELECT 1 FROM complaints")) == 1


def test_the_same_complaint_after_a_day_is_another_one(client, engine):
    first = client.post("/api/complaints", json=BODY).json["reference"]
    change(engine, "UPDATE complaints SET created_at = created_at - interval '25 hours'")
    assert client.post("/api/complaints", json=BODY).json["reference"] != first


def test_a_complaint_that_comes_often_at_once_is_stored_once(client, engine):
    def send(_):
        return client.application.test_client().post("/api/complaints", json=BODY).json["reference"]

    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(send, range(20)))) == 1
    assert len(rows_of(engine, "SELECT 1 FROM complaints")) == 1
