"""What to do about each trouble: Flower, `status` and the alarms show the words of docs/runbook.md.

Between backticks stands what is typed: an operator's command, or `restart`, `log` and `migrate` of a program. The
runbook's table has the words of each kind of installation for them, in a column each.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

RUNBOOK = Path(__file__).parent.parent / "docs/runbook.md"
COMPOSE, DEBIAN, LAUNCHER = range(1, 4)  # columns of the table
_UNITS = {"worker": "clinic-worker", "postgres": "postgresql", "valkey": "valkey-server"}


@cache
def read_advice() -> dict[str, str]:
    """Return the advice by the name of its trouble, which is the title of its section."""
    sections = re.split(r"^## ", RUNBOOK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {each.partition("\n")[0]: re.search(r"```text\n(.*?)\n```", each, re.DOTALL) for each in sections}
    return {name: text[1] for name, text in found.items() if text}


@cache
def _table() -> list[list[str]]:
    lines = re.findall(r"^\| (`.*`) \|$", RUNBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    return [[cell.strip("`") for cell in line.split(" | ")] for line in lines]


@cache
def _installation() -> int:
    if Path("/usr/local/bin/clinic").exists():  # which deploy/systemd/install.sh puts there
        return DEBIAN
    return COMPOSE if Path("/run/secrets/redis_url").exists() else LAUNCHER


def typed(words: str, installation: int) -> str:
    """Return what is typed for words between backticks."""
    verb, _, name = words.partition(" ")
    command, *programs = _table()
    for line in programs:
        if line[0].partition(" ")[0] == verb:
            return line[installation].replace("PROGRAM", name).replace("UNIT", _UNITS.get(name, name))
    return command[installation].replace("COMMAND", words)


def advice_here(name: str, mark: Callable[[str], str] = "`{}`".format) -> str:
    """Return the advice with what is typed in this installation; `mark` marks it."""
    return re.sub(r"`([^`]+)`", lambda found: mark(typed(found[1], _installation())), read_advice()[name])
