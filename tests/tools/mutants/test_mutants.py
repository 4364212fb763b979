"""The list of mutants cannot rot: each fault still fits the code, and its test exists."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tools.mutants.run import MUTANTS

ROOT = Path(__file__).parents[3]


@cache
def functions_of(file):
    return {node.name for node in ast.parse((ROOT / file).read_text()).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_fault_fits_the_code_and_its_test_exists(mutant):
    assert mutant.old != mutant.new
    ast.parse(mutant.text(ROOT))
    file, _, name = mutant.test.partition("::")
    assert name.partition("[")[0] in functions_of(file)


def test_names_are_unique():
    assert [name for name, times in Counter(mutant.name for mutant in MUTANTS).items() if times > 1] == []
