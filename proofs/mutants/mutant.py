"""A mutant, and the rules for its text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class NoSuchText(Exception):
    """The text to replace does not occur exactly once; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: `old` becomes `new` in `file`, and `test` (a pytest node id) must fail.

    `fault` names the fault in a few words.
    """

    name: str
    fault: str
    file: str
    old: str
    new: str
    test: str

    def text(self, root: Path) -> str:
        """Return the file's text with the fault; `NoSuchText` unless the old text occurs exactly once."""
        text = (root / self.file).read_text()
        found = text.count(self.old)
        if found != 1:
            raise NoSuchText(f"{self.name}: the old text occurs {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)

    @property
    def test_file(self) -> str:
        """The file of the test."""
        return self.test.partition("::")[0]

    @property
    def test_name(self) -> str:
        """The function of the test, without its parameters."""
        return self.test.partition("::")[2].partition("[")[0]
