"""The list of mutants cannot rot: each fault still fits the code, and its test exists."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from proofs.mutants.mutant import MUTANTS, Mutant, NoSuchText
from proofs.mutants.run import Verdict, judge

ROOT = Path(__file__).parents[3]
every_mutant = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)


@every_mutant
def test_the_fault_fits_the_code(mutant):
    text = mutant.text(ROOT)
    ast.parse(text)
    assert text != (ROOT / mutant.file).read_text()


@every_mutant
def test_the_test_exists(mutant):
    file, _, name = mutant.test.partition("::")
    tree = ast.parse((ROOT / file).read_text())
    assert name.partition("[")[0] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_names_are_unique():
    assert [name for name, times in Counter(mutant.name for mutant in MUTANTS).items() if times > 1] == []


@pytest.mark.parametrize("old", ["absent", "twice"])
def test_a_text_that_does_not_occur_once_is_refused(tmp_path, old):
    (tmp_path / "code.py").write_text("twice = twice\n")
    mutant = Mutant(name="name", fault="fault", file="code.py", old=old, new="new", test="test.py::test")
    with pytest.raises(NoSuchText):
        mutant.text(tmp_path)


@pytest.mark.parametrize(
    ("code", "inner", "verdict"),
    [
        (0, "", Verdict.SURVIVED),
        (1, '<failure message="assert 1 == 2">…</failure>', Verdict.KILLED),
        (1, '<failure message="Failed: Timeout (&gt;120.0s) from pytest-timeout.">…</failure>', Verdict.BROKEN),
        (1, '<failure message="NameError: name">…</failure>', Verdict.BROKEN),
        (1, "", Verdict.BROKEN),
        (2, '<failure message="assert 1 == 2">…</failure>', Verdict.BROKEN),
    ],
)
def test_only_a_failed_assertion_kills(tmp_path, code, inner, verdict):
    report = tmp_path / "report.xml"
    report.write_text(f'<testsuites><testsuite><testcase name="t">{inner}</testcase></testsuite></testsuites>')
    assert judge(code, report, "the output\n")[0] is verdict
