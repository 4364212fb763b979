"""The sandbox's own endpoints: pages elsewhere can neither read nor change what a developer's sandbox holds."""

import pytest
import requests

OWN = "http://{host}"


@pytest.fixture
def ask(sandbox_process):
    host = sandbox_process.url.removeprefix("http://")

    def send(method, path, **headers):
        named = {name.replace("_", "-"): value.format(host=host) for name, value in headers.items()}
        with requests.Session() as session:
            session.trust_env = False
            url = f"{sandbox_process.url}/_sandbox/{path}"
            return session.request(method, url, headers=named, timeout=10).status_code

    return send


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "records"), ("GET", "mails"), ("GET", "summary"), ("PATCH", "faults")]
)
def test_a_name_pointed_to_this_machine_is_refused(ask, method, path):
    assert ask(method, path, Host="evil.example") == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null"])
def test_another_site_cannot_send_requests(ask, origin):
    assert ask("POST", "reset", Origin=origin) == 403
    assert ask("POST", "reset", Origin=OWN) == 200
