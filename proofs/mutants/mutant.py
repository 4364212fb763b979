"""A mutant, the rules for its text, and all of them, from mutants.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


class NoSuchText(Exception):
    """The text to replace does not occur exactly once; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault, in words too: `old` becomes `new` in `file`, and `test` (pytest's node id) must fail."""

    name: str
    fault: str
    file: str
    old: str
    new: str
    test: str

    def text(self, root: Path) -> str:
        """Return the file's text with the fault; `NoSuchText` unless the old text occurs exactly once."""
        text = (root / self.file).read_text()
        if (found := text.count(self.old)) != 1:
            raise NoSuchText(f"{self.name}: the old text occurs {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)


MUTANTS = tuple(
    Mutant(name=name, file=file, **texts)
    for file, faults in tomllib.loads(Path(__file__).with_name("mutants.toml").read_text()).items()
    for name, texts in faults.items()
)
