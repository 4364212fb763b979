import re

import pytest
import requests

from sandbox.process import SandboxProcess
from tests.sandbox.conftest import CREDENTIALS, Caller


def test_a_token_has_zohos_shape_and_leads_back_to_the_sandbox(crm, sandbox):
    reply = crm.mint().json()
    assert re.fullmatch(r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}", reply["access_token"])
    assert (reply["token_type"], reply["expires_in"], reply["api_domain"]) == ("Bearer", 3600, sandbox.url)
    assert "ZohoCRM.modules.ALL" in reply["scope"]
    assert "refresh_token" not in reply


def test_the_keys_may_come_in_the_query(sandbox):
    reply = requests.post(f"{sandbox.url}/oauth/v2/token", params=CREDENTIALS, timeout=10)
    assert reply.json()["access_token"].startswith("1000.")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"refresh_token": "1000.other"}, "invalid_code"),
        ({"grant_type": "authorization_code"}, "invalid_code"),
        ({"client_id": "1000.OTHER"}, "invalid_client"),
        ({"client_secret": "other"}, "invalid_client_secret"),
    ],
)
def test_wrong_credentials_are_answered_200_with_an_error(crm, changes, error):
    reply = crm.mint(**changes)
    assert (reply.status_code, reply.json()) == (200, {"error": error})


def test_the_eleventh_token_in_ten_minutes_is_refused(crm):
    assert [crm.mint().status_code for _ in range(9)] == [200] * 9
    refused = crm.mint()
    assert (refused.status_code, refused.json()["error"]) == (400, "Access Denied")


def test_the_oldest_of_more_than_thirty_tokens_dies(crm, sandbox):
    sandbox.faults(limits={"token_mint_limit": 1000})
    second = crm.mint().json()["access_token"]
    for _ in range(29):
        crm.mint()
    assert crm("GET", "org").status_code == 401
    crm.token = second
    assert crm("GET", "org").status_code == 200


def test_a_token_ends_after_its_life(crm, sandbox):
    sandbox.faults(limits={"token_life_s": 0})
    crm.token = crm.mint().json()["access_token"]
    assert crm("GET", "org").json()["code"] == "INVALID_TOKEN"


def test_a_revoked_token_is_refused(crm, sandbox):
    revoked = crm.session.post(f"{sandbox.url}/oauth/v2/token/revoke", data={"token": crm.token}, timeout=10)
    assert revoked.json() == {"status": "success"}
    assert crm("GET", "org").json()["code"] == "INVALID_TOKEN"


@pytest.mark.parametrize(
    ("header", "code", "message"),
    [
        ({}, "AUTHENTICATION_FAILURE", "Authentication failed"),
        ({"Authorization": "Bearer x"}, "AUTHENTICATION_FAILURE", "Authentication failed"),
        ({"Authorization": "Zoho-oauthtoken rubbish"}, "INVALID_TOKEN", "invalid oauth token"),
    ],
)
def test_calls_without_a_live_token_are_refused(sandbox, header, code, message):
    reply = requests.get(f"{sandbox.url}/crm/v8/org", headers=header, timeout=10)
    assert reply.status_code == 401
    assert reply.json() == {"code": code, "details": {}, "message": message, "status": "error"}


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
