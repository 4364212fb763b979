"""The operators on SQL, which are applied to the source of a string that holds some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_IS_SQL = re.compile(
    r"\b(SELECT|UPDATE|INSERT|DELETE|WHERE|AND|IS|FROM|CASE|coalesce|least|greatest)\b| ([<>]=?|=|<>) "
)
_TOKEN = re.compile(
    r"""'[^']*'|%\(\w+\)s|\{[^{}]*\}|::?[a-z]\w*|BETWEEN\s+\S+\s+AND\b|IS\ (?:NOT\ )?DISTINCT\ FROM
    |(?:GROUP\ BY|SELECT|RETURNING)\ \d[\d, ]*|\w+|<=|>=|<>|!=|->>?|=>|\S""",
    re.VERBOSE,
)
_SWAPS = {
    "<=": "<", ">=": ">", "<": "<=", ">": ">=", "<>": "=", "!=": "=", "+": "-", "-": "+", "/": "*",
    "ASC": "DESC", "DESC": "ASC", "true": "false", "false": "true", "min": "max", "max": "min", "LEFT": "",
    "NOT": "", "IS DISTINCT FROM": "IS NOT DISTINCT FROM", "IS NOT DISTINCT FROM": "IS DISTINCT FROM",
}  # fmt: skip
# What begins and ends a part of a statement.
_BOUNDS = {
    "SELECT", "FROM", "SET", "WHERE", "HAVING", "AND", "OR", "ON", "WHEN", "THEN", "ELSE", "GROUP", "ORDER", "BY",
    "LIMIT", "RETURNING", "FOR", "UNION", "JOIN", "LEFT", "AS", "(", ",", '"',
}  # fmt: skip
_LOCKS = re.compile(r"FOR UPDATE(?: OF \w+)?( SKIP LOCKED)?")
_TABLE = re.compile(r"UPDATE (\w+)(?: AS (\w+))?\s+SET\b")


def other_numbers(number: float) -> list[float]:
    """The next ones of a small whole number, twice another."""
    if isinstance(number, int) and number < 10:
        return [number + 1, number - 1] if number else [1]
    return [number * 2 or 1.0]


def change_sql(source: str) -> Iterator[str]:
    """The source with one change, for each that there is; none if it holds no SQL."""
    if _IS_SQL.search(source):
        for start, end, new in _edits(source, _tokens(source)):
            yield source[:start] + new + source[end:]


Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _Token:
    """`depth`: of parentheses and CASE, outside for those that open or close one."""

    words: str
    start: int
    end: int
    depth: int

    @property
    def is_bound(self) -> bool:
        return self.words.split()[0] in _BOUNDS


def _tokens(source: str) -> list[_Token]:
    tokens, depth = [], 0
    for found in _TOKEN.finditer(source):
        words = found[0]
        depth -= words in {")", "]", "END"}
        tokens.append(_Token(words, found.start(), found.end(), depth))
        depth += words in {"(", "[", "CASE"}
    return tokens


def _edits(source: str, tokens: list[_Token]) -> Iterator[Edit]:
    for number, token in enumerate(tokens):
        for new in _other_words(token.words, tokens[number + 1].words if tokens[number + 1 :] else ""):
            yield token.start, token.end, new
        if token.words in {"coalesce", "greatest", "least"}:
            parts, close = _parts(tokens, number + 1)
            yield from (
                (token.start, close.end, f"({source[part[0].start : part[-1].end]})") for part in parts if part
            )
        if token.is_bound:
            (part,), right = _parts(tokens, number, commas=False)
            if part:
                yield from _other_parts(source, tokens[number - 1].words, token.words, part, right.words)
    for update in _TABLE.finditer(source):
        start = next(number for number, token in enumerate(tokens) if token.end == update.end())
        for part in _parts(tokens, start)[0]:
            name = part[0].words
            yield part[0].start, part[-1].end, f"{name} = {update[2] or update[1]}.{name}"
    for lock in _LOCKS.finditer(source):
        yield lock.start(), lock.end(), ""
        if lock[1]:
            yield lock.start(1), lock.end(1), ""


def _parts(tokens: list[_Token], left: int, *, commas: bool = True) -> tuple[list[list[_Token]], _Token]:
    """What follows a token up to the next bound, one part for each comma if those only divide; and that bound."""
    depth = tokens[left].depth + (tokens[left].words == "(")
    parts: list[list[_Token]] = [[]]
    for token in tokens[left + 1 :]:
        if token.depth == depth and token.words == "," and commas:
            parts.append([])
        elif token.depth < depth or (token.depth == depth and token.is_bound and token.words != "("):
            return parts, token
        else:
            parts[-1].append(token)
    return [[]], tokens[-1]


def _other_words(words: str, following: str) -> Iterator[str]:
    if words in _SWAPS:
        # Nothing happens in the very moment that a clock shows.
        if following not in {"now", "clock_timestamp"}:
            yield _SWAPS[words]
    elif words == "IS" and following == "NULL":
        yield "IS NOT"
    elif number := re.fullmatch(r"(')?(\d+)( \w+')?", words):
        for other in other_numbers(int(number[2])):
            yield f"{number[1] or ''}{other}{number[3] or ''}"


def _other_parts(source: str, before: str, left: str, part: list[_Token], right: str) -> Iterator[Edit]:
    """A condition dropped or negated, an order turned round, a limit lifted."""
    start, end = part[0].start, part[-1].end
    if left == "WHEN" and right == "THEN":
        yield start, end, f"NOT ({source[start:end]})"
    elif "OR" in {left, right}:
        yield start, end, "false"
    elif (left in {"WHERE", "HAVING", "AND", "ON"} and part[0].words != "CONFLICT") or right == "AND":
        yield start, end, "true"
    elif before == "ORDER" and part[-1].words not in {"ASC", "DESC", "}"}:
        yield end, end, " DESC"
    elif left == "LIMIT":
        yield start, end, "ALL"
