"""Mutants by operators: each small change of a file's Python and SQL, which the tests near the file must see."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proofs.mutants.mutant import Mutant
from proofs.mutants.sql import change_sql, other_numbers

_SWAPS: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Not changed: what only a type checker, a reader of logs or a drill sees.
_UNSEEN_FIELDS = {"annotation", "returns", "decorator_list"}
_UNSEEN_CALLS = ("log.", "_log(", "assert_never(", "crash(")
_DATA = tomllib.loads(Path(__file__).with_name("operators.toml").read_text())
NEAR: dict[str, list[str]] = _DATA["tests"]
# Changes that no test can see, by file and reason: the lines before and after.
EQUIVALENT: dict[str, dict[str, list[list[str]]]] = _DATA["equivalent"]


def near_tests(root: Path, file: str) -> tuple[str, ...]:
    """The tests that are named after the file, and those that the table adds."""
    path = Path(file)
    named = sorted((root / "tests" / path.parent).glob(f"test_{path.stem}*.py"))
    return (*(str(test.relative_to(root)) for test in named), *NEAR.get(file, ()))


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """The file's mutants, the equivalent ones too."""
    text, tests, numbers = (root / file).read_text(), near_tests(root, file), Counter[int]()
    mutants = []
    for changed in dict.fromkeys(_changes(text)):
        if changed == text:
            continue
        line, old, new = _difference(text, changed)
        numbers[line] += 1
        name = f"{Path(file).stem}:{line}.{numbers[line]}"
        fault = f"{' '.join(old.split())} → {' '.join(new.split())}"
        mutants.append(Mutant(name=name, fault=fault, file=file, old=old, new=new, tests=tests))
    return mutants


def is_equivalent(mutant: Mutant) -> bool:
    """Whether no test can see it."""
    pairs = EQUIVALENT.get(mutant.file, {}).values()
    return [mutant.old.strip(), mutant.new.strip()] in [pair for group in pairs for pair in group]


def _difference(text: str, changed: str) -> tuple[int, str, str]:
    """The number of the first line that differs; the lines that do, with as many around as make them unique."""
    before, after = text.splitlines(keepends=True), changed.splitlines(keepends=True)
    top = next(place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
    end = next(place for place, (old, new) in enumerate(zip(before[::-1], after[::-1], strict=False)) if old != new)
    end = min(end, len(before) - top - 1, len(after) - top - 1)
    first = top
    while text.count("".join(before[first : len(before) - end])) != 1:
        first, end = (first - 1, end) if first else (first, end - 1)
    return top + 1, "".join(before[first : len(before) - end]), "".join(after[first : len(after) - end])


def _changes(text: str) -> Iterator[str]:
    """The text with one change, for each change."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def cut(node: Any) -> tuple[str, str, str]:
        start, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
        return text[:start], text[start:end], text[end:]

    for node in _nodes(ast.parse(text)):
        for changed, new in _variants(node):
            before, _, after = cut(changed)
            yield before + new + after
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            before, literal, after = cut(node)
            yield from (before + new + after for new in change_sql(literal))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is in it, but for what is not changed."""
    yield node
    if isinstance(node, ast.JoinedStr):
        return
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in _UNSEEN_FIELDS and not _is_unseen(child):
                yield from _nodes(child)


def _is_unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or ast.unparse(node).startswith(_UNSEEN_CALLS)
    return isinstance(node, ast.Raise)


def _variants(node: Any) -> Iterator[tuple[Any, str]]:
    """Other words for the node or for a part of it."""
    match node:
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() | float() as value):
            yield from ((node, str(other)) for other in other_numbers(value))
        case ast.Name(name) if name in _NAMES:
            yield node, _NAMES[name]
        case ast.Expr(ast.Call()):
            yield node, "pass"
        case ast.Return(ast.AST() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
        case _:
            yield from ((node, words) for words in _other_operators(node))
    for test in [*getattr(node, "ifs", []), getattr(node, "test", None)]:
        # The others have their own opposite.
        if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
            yield test, _words(ast.UnaryOp(ast.Not(), test))


def _other_operators(node: Any) -> Iterator[str]:
    match node:
        case ast.Compare(left, ops, right):
            for number, op in enumerate(ops):
                yield _words(ast.Compare(left, [*ops[:number], _SWAPS[type(op)](), *ops[number + 1 :]], right))
        case ast.BinOp(left, op, right) if type(op) in _SWAPS:
            yield _words(ast.BinOp(left, _SWAPS[type(op)](), right))
        case ast.AugAssign(target, op, value) if type(op) in _SWAPS:
            yield ast.unparse(ast.AugAssign(target, _SWAPS[type(op)](), value))
        case ast.BoolOp(op, values):
            # What sees that each part is needed sees the other operator too.
            for value in values:
                others = [other for other in values if other is not value]
                yield _words(ast.BoolOp(op, others) if others[1:] else others[0])
        case ast.UnaryOp(ast.Not(), operand):
            yield _words(operand)


def _words(expression: ast.expr) -> str:
    return f"({ast.unparse(expression)})"
