"""The environ of a request: one host, no forged names, no secrets."""

from __future__ import annotations

import pytest

from web.server.environ import (
    MAX_ACCEPT_LENGTH,
    MAX_VALUE_LENGTH,
    HeaderTooLong,
    build_environ,
    is_well_formed,
)

SCOPE = {
    "method": "GET",
    "http_version": "1.1",
    "raw_path": b"/caf%C3%A9",
    "query_string": b"a=b",
    "server": ("127.0.0.1", 8000),
    "client": ("203.0.113.9", 5000),
    "headers": [],
}


def scope(*headers, **changed):
    return {**SCOPE, "headers": [(name.encode(), value.encode()) for name, value in headers], **changed}


def test_names_with_underscores_are_dropped_and_repeated_headers_joined():
    environ = build_environ(
        scope(
            ("x-forwarded-for", "198.51.100.1"),
            ("x_forwarded_for", "203.0.113.66"),
            ("content_length", "5"),
            ("x-forwarded-for", "198.51.100.2"),
        )
    )
    assert environ["HTTP_X_FORWARDED_FOR"] == "198.51.100.1,198.51.100.2"
    assert "CONTENT_LENGTH" not in environ


def test_the_environ_holds_the_request_and_nothing_of_this_process(monkeypatch):
    monkeypatch.setenv("ERASURE_KEY", "hush-hush-hush-hush")
    environ = build_environ(scope(("host", "clinic.example"), ("content-type", "text/plain")))
    assert environ["PATH_INFO"] == "/café".encode().decode("latin-1")
    assert (environ["HTTP_HOST"], environ["CONTENT_TYPE"]) == ("clinic.example", "text/plain")
    assert environ["REMOTE_ADDR"] == "203.0.113.9"
    assert "hush" not in repr(environ)


@pytest.mark.parametrize(
    ("hosts", "version", "well_formed"),
    [
        (["clinic.example"], "1.1", True),
        (["clinic.example:8000"], "1.1", True),
        (["[::1]:8000"], "1.1", True),
        ([], "1.1", False),
        ([], "1.0", True),
        (["a", "a"], "1.1", False),
        (["a", "b"], "1.0", False),
        (["a b"], "1.1", False),
        (["a/b"], "1.1", False),
        (["a"], "0.9", False),
        (["a"], "2.0", False),
    ],
)
def test_one_valid_host_is_demanded(hosts, version, well_formed):
    request = scope(*(("host", host) for host in hosts), http_version=version)
    assert is_well_formed(request) is well_formed


@pytest.mark.parametrize(
    ("name", "limit"),
    [("accept-encoding", MAX_ACCEPT_LENGTH), ("cookie", MAX_VALUE_LENGTH), ("referer", MAX_VALUE_LENGTH)],
)
def test_a_long_value_that_only_describes_is_dropped_before_anything_parses_it(name, limit):
    variable = f"HTTP_{name.upper().replace('-', '_')}"
    assert build_environ(scope((name, "a" * limit)))[variable] == "a" * limit
    assert variable not in build_environ(scope((name, "a" * (limit + 1))))
    assert variable not in build_environ(scope(*[(name, "a" * (limit // 10))] * 11))


@pytest.mark.parametrize("name", ["host", "content-type", "idempotency-key", "x-forwarded-for"])
def test_a_long_value_that_decides_what_the_request_is_is_refused(name):
    with pytest.raises(HeaderTooLong):
        build_environ(scope((name, "a" * (MAX_VALUE_LENGTH + 1))))
