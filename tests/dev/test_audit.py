"""The audit's reading of the registries' answers: a finding fails, silence is reported as silence."""

from __future__ import annotations

import sys

import pytest

from dev import audit
from dev.audit import Audit, read_npm_audit, read_pip_audit

VULNERABLE = {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}


def test_a_vulnerable_python_package_is_found():
    packages = [VULNERABLE, {"name": "b", "version": "1", "vulns": []}, {"name": "c", "skip_reason": "not found"}]
    found = read_pip_audit("x.lock", {"dependencies": packages})
    assert found == Audit("x.lock", 3, 2, ("a 1: CVE-1, fixed in ['2']",))


def test_a_vulnerable_node_package_is_found():
    report = {"vulnerabilities": {"a": {"severity": "high"}}, "metadata": {"dependencies": {"total": 7}}}
    assert read_npm_audit("x", report) == Audit("x", 7, 7, ("a: high",))


def test_a_registry_without_advisories_has_not_answered():
    assert read_npm_audit("x", {"message": "405 Method Not Allowed"}).answered == 0
    assert read_pip_audit("x", {"dependencies": [{"name": "a", "skip_reason": "not found"}]}).answered == 0


@pytest.mark.parametrize(
    ("known", "words", "code"),
    [
        (Audit("x", 2, 2, ()), [], 0),
        (Audit("x", 2, 0, ()), [], 0),
        (Audit("x", 2, 0, ()), ["--strict"], 2),
        (Audit("x", 2, 2, ("a 1: CVE-1",)), [], 1),
    ],
)
def test_the_exit_code(monkeypatch, capsys, known, words, code):
    monkeypatch.setattr(audit, "audit_python", lambda _: known)
    monkeypatch.setattr(audit, "audit_node", lambda _: known)
    monkeypatch.setattr(sys, "argv", ["audit", *words])
    assert audit.main() == code
    assert ("NOT CHECKED" in capsys.readouterr().out) == (not known.answered)
