import pytest
import requests

from sandbox.process import SandboxProcess
from tests.sandbox.conftest import Caller


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
