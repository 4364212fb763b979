import sqlite3
import threading

import pytest
import requests

from tests.tools.sandbox.conftest import Caller, lead
from tools.sandbox.ledger import Ledger
from tools.sandbox.process import SandboxProcess


def test_a_call_is_written_down_with_every_row(crm, sandbox):
    crm(
        "POST",
        "Leads/upsert",
        json={"data": [lead(1), {"City": "x"}]},
        headers={"X-Request-ID": "r-1", "User-Agent": "t"},
    )
    [call] = sandbox.calls(kind="api")
    assert (call["method"], call["path"], call["status"], call["rows"]) == ("POST", "/crm/v8/Leads/upsert", 207, 2)
    assert (call["request_id"], call["user_agent"], call["credits"], call["in_flight"]) == ("r-1", "t", 1, 1)
    first, second = call["row_results"]
    assert first == {"code": "SUCCESS", "action": "insert", "id": sandbox.records()[0]["id"], "event_id": "event-1"}
    assert second == {"code": "MANDATORY_NOT_FOUND", "action": None, "id": None, "event_id": None}


def test_a_duplicate_that_slips_past_the_unique_check_is_counted(tmp_path):
    with SandboxProcess.start(tmp_path) as sandbox:
        crm = Caller(sandbox)
        crm.upsert(lead(1))
        with sqlite3.connect(tmp_path / "sandbox.sqlite3") as file:
            file.execute("DELETE FROM keys")
        file.close()
        crm.upsert(lead(1))
        crm.session.close()
        totals = sandbox.summary()
    assert (totals["records"], totals["duplicate_event_ids"], totals["duplicate_event_ids_ever"]) == (2, 1, 1)


@pytest.mark.slow
def test_what_was_answered_outlives_kill_9_under_load(tmp_path):
    with SandboxProcess.start(tmp_path) as sandbox:
        crm, answered = Caller(sandbox), []
        killer = threading.Timer(0.4, sandbox.kill)
        killer.start()
        try:
            for number in range(100_000):
                crm.upsert(lead(number), lead(f"{number}b"))
                answered.append(f"event-{number}")
        except requests.ConnectionError:
            pass
        killer.join()
        crm.session.close()
    with SandboxProcess.start(tmp_path) as again:
        kept = {record["Website_Event_ID"] for record in again.records()}
        totals = again.summary()
    assert answered
    assert set(answered) <= kept
    assert totals["records"] == totals["inserts"] == 2 * (totals["api_calls"])
    assert totals["duplicate_event_ids"] == 0


@pytest.mark.slow
def test_tokens_and_the_mint_limit_survive_a_restart(tmp_path):
    with SandboxProcess.start(tmp_path) as first:
        caller, port = Caller(first), first.port
        for _ in range(9):
            caller.mint()
        caller.session.close()
        first.kill()
    with SandboxProcess.start(tmp_path, port) as second:
        assert caller("GET", "org").status_code == 200
        assert caller.mint().json()["error"] == "Access Denied"
        assert len(second.summary()["tokens_minted"]) == 10
        caller.session.close()


def test_the_page_and_its_files_are_served_from_here_alone(sandbox):
    page = requests.get(f"{sandbox.url}/", timeout=10).text
    assert "This is a sandbox: development data only" in page
    for name in ("page.css", "page.js"):
        content = requests.get(f"{sandbox.url}/_sandbox/page/{name}", timeout=10)
        assert content.status_code == 200
        assert "http" not in content.text + page


def test_only_the_owner_can_read_the_file(tmp_path):
    Ledger(tmp_path).close()
    assert (tmp_path / "sandbox.sqlite3").stat().st_mode & 0o777 == 0o600
