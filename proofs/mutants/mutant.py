"""A mutant, the rules for its text, and all of them, from mutants.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


class NoSuchText(Exception):
    """The text to replace does not occur exactly once; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault: `old` becomes `new` in `file`, and one of `tests` (pytest's node ids) must fail.

    `fault` names the fault in a few words.
    """

    name: str
    fault: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What chooses it."""
        return (self.name,)

    def text(self, root: Path) -> str:
        """Return the file's text with the fault; `NoSuchText` unless the old text occurs exactly once."""
        text = (root / self.file).read_text()
        found = text.count(self.old)
        if found != 1:
            raise NoSuchText(f"{self.name}: the old text occurs {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)


def _read() -> tuple[Mutant, ...]:
    files = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text())
    return tuple(
        Mutant(name=name, file=file, tests=(texts.pop("test"),), **texts)
        for file, faults in files.items()
        for name, texts in faults.items()
    )


MUTANTS = _read()
