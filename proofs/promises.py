"""The promises of the delivery and what guards each (promises.toml); as a program it writes docs/delivery.md."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from proofs.harness import page

PAGE = Path("docs/delivery.md")
KINDS = ("drills", "simulation", "cuts", "mutants")


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise, and the names of its guards; "all" stands for each drill or journey."""

    words: str
    drills: tuple[str, ...] = ()
    simulation: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    mutants: tuple[str, ...] = ()

    def cells(self) -> tuple[str, ...]:
        """Its row."""
        code = (f"`{name}`" for name in self.mutants)
        return self.words, ", ".join(self.drills), "; ".join(self.simulation), ", ".join(self.cuts), ", ".join(code)


def _read() -> tuple[Promise, ...]:
    found = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["promise"]
    return tuple(Promise(each["words"], *(tuple(each.get(kind, ())) for kind in KINDS)) for each in found)


PROMISES = _read()


def table() -> str:
    """The table of the page."""
    return "\n".join(page.table(("promise", *KINDS), (page.row(promise.cells()) for promise in PROMISES)))


if __name__ == "__main__":
    PAGE.write_text(PAGE.read_text().partition("| promise |")[0] + table() + "\n")
