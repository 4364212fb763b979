"""The operators make each change that they promise, and the data beside them is about the code as it is."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from proofs.mutants import run
from proofs.mutants.__main__ import page_of_operators, try_mutants
from proofs.mutants.operators import EQUIVALENT, NEAR, is_equivalent, mutants_of, near_tests
from proofs.mutants.run import Result, Verdict

ROOT = Path(__file__).parents[3]


def changes(folder, text):
    (folder / "code.py").write_text(f"{text}\n")
    return [mutant.text(folder).strip() for mutant in mutants_of(folder, "code.py")]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("x = a <= b", ["x = (a < b)"]),
        ("x = a is None", ["x = (a is not None)"]),
        ("x = a not in b", ["x = (a in b)"]),
        ("x = a and b and c", ["x = (b and c)", "x = (a and c)", "x = (a and b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = a + b", ["x = (a - b)"]),
        ("x += a", ["x -= a"]),
        ("x = 3, 0, 60.0", ["x = 4, 0, 60.0", "x = 2, 0, 60.0", "x = 3, 1, 60.0", "x = 3, 0, 120.0"]),
        ("x = True", ["x = False"]),
        ("x = min(a)", ["x = max(a)"]),
        ("x = a if b else c", ["x = a if (not b) else c"]),
        ("f(a)", ["pass"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("while a:\n    break", ["while (not a):\n    break", "while a:\n    continue"]),
        # The second of two equal lines.
        ("f(a)\nx\nf(a)", ["pass\nx\nf(a)", "f(a)\nx\npass"]),
        ('"""Text of 3 + 4."""\nlog.info("a", 1)\n@f(1)\ndef f(a: A[1]): raise B(1)', []),
    ],
)
def test_python_is_changed(tmp_path, text, changed):
    assert changes(tmp_path, text) == changed


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("SELECT a FROM t WHERE a < b", ["SELECT a FROM t WHERE true", "SELECT a FROM t WHERE a <= b"]),
        ("SELECT a FROM t WHERE now() > b AND c <= now()", ["t WHERE true AND c", "now() >= b", "b AND true"]),
        ("SELECT a FROM t WHERE (a OR NOT b)", ["WHERE true", "(false OR", "OR false", "OR  b"]),
        ("SELECT a FROM t WHERE a BETWEEN b AND c", ["WHERE true"]),
        ("SELECT a IS NULL FROM t", ["SELECT a IS NOT NULL"]),
        ("SELECT a FROM t ORDER BY a, b DESC", ["BY a DESC, b DESC", "BY a, b ASC"]),
        (
            "SELECT a FROM t LIMIT 5 FOR UPDATE OF t SKIP LOCKED",
            ["LIMIT ALL", "LIMIT 6", "LIMIT 4", 'LIMIT 5 "', 'OF t"'],
        ),
        ("SELECT CASE WHEN a THEN b ELSE c END", ["WHEN NOT (a) THEN"]),
        ("SELECT coalesce(a, f(b, c))", ["SELECT (a)", "SELECT (f(b, c))"]),
        ("UPDATE t AS u SET a = b, c = f(d) WHERE e", ["WHERE true", "SET a = u.a, c", "b, c = u.c WHERE"]),
        ("SELECT a - interval '15 min'", ["a + interval", "'30 min'"]),
    ],
)
def test_sql_is_changed(tmp_path, text, changed):
    found = changes(tmp_path, f'x = "{text}"')
    assert [part for part, new in zip(changed, found, strict=True) if part not in new] == []


def test_the_table_names_tests_that_exist():
    assert [test for file in NEAR for test in near_tests(ROOT, file) if not (ROOT / test).exists()] == []


def test_each_equivalent_change_is_still_one_of_the_file():
    listed = {(file, *pair) for file, groups in EQUIVALENT.items() for pairs in groups.values() for pair in pairs}
    known = [mutant for file in EQUIVALENT for mutant in mutants_of(ROOT, file) if is_equivalent(mutant)]
    assert listed == {(mutant.file, mutant.old.strip(), mutant.new.strip()) for mutant in known}


def test_a_machine_that_breaks_in_the_middle_of_a_run_is_no_success(monkeypatch):
    (mutant, *_) = mutants_of(ROOT, "leads/outbox/slots.py")
    broken, checks = Result(mutant, Verdict.BROKEN, 0.1, "no module"), iter([False, True])

    class Shop:
        def check_unmutated(self, _tests):
            if next(checks):
                raise run.TestsFail

        def try_all(self, _mutants):
            return [broken]

    monkeypatch.setattr("proofs.mutants.__main__.workshop", lambda _jobs: nullcontext(Shop()))
    with pytest.raises(SystemExit):
        try_mutants([mutant], 1)


def test_a_report_keeps_the_rows_of_other_files():
    page = "# Mutants\n\n## By operators\n\nText.\n"
    for file in ("leads/outbox/slots.py", "leads/outbox/gate.py", "leads/outbox/slots.py"):
        page = page_of_operators([Result(mutants_of(ROOT, file)[0], Verdict.KILLED, 1.0, "")], page)
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| `")]
    assert (rows, page.count("Text.")) == (["`leads/outbox/gate.py`", "`leads/outbox/slots.py`"], 1)
