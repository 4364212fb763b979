"""The documentation: its links resolve, and the files, commands and settings that it names exist."""

import re
from pathlib import Path

import pytest

from worker.__main__ import operate
from worker.crm.fields import DEFAULT_FIELDS, custom_fields

ROOT = Path(__file__).parents[1]


PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob(".github/*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "frontend/content/README.md",
    ]
)
PRESENT = [page for page in PAGES if page.name != "CHANGELOG.md"]  # the changelog names what is gone, too

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:leads|api|web|worker|migrations|frontend|tools|tests|docs|requirements)/[\w./-]*")
BUILT = ("frontend/dist", "frontend/node_modules")
SETTING = re.compile(r"([A-Z]+(?:_[A-Z]+)+)(?:=.*)?")
OPERATION = re.compile(r"(?:python -m worker |make ops CMD=\"?)([a-z]+)")


def on(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def anchors_of(page):
    headings = HEADING.findall(page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def resolves(page, link):
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in anchors_of(target))


def code_in(page):
    """What is set as code: the pieces within lines, and the lines of blocks."""
    pieces = []
    for number, part in enumerate(page.read_text().split("```")):
        pieces += part.splitlines()[1:] if number % 2 else CODE.findall(part)
    return pieces


@on(PAGES)
def test_links_resolve(page):
    links = [link for link in LINK.findall(page.read_text()) if not re.match(r"[a-z]+:", link)]
    assert [link for link in links if not resolves(page, link)] == []


@on(PRESENT)
def test_files_that_are_named_exist(page):
    named = [piece for piece in code_in(page) if PATH.fullmatch(piece) and not piece.startswith(BUILT)]
    assert [name for name in named if not (ROOT / name).exists()] == []


@on(PRESENT)
def test_settings_that_are_named_exist(page):
    known = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    known.add("CREDENTIALS_DIRECTORY")  # systemd's own
    named = {found[1] for piece in code_in(page) if (found := SETTING.fullmatch(piece))}
    assert named - known == set()


@on(PRESENT)
def test_commands_that_are_named_exist(page):
    text = "\n".join(code_in(page))
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) - set(targets) == set()
    assert set(OPERATION.findall(text)) - set(operate.commands) == set()


def test_every_operators_command_is_described():
    section = (ROOT / "docs/operating.md").read_text().split("## Commands")[1].split("## ")[0]
    first_cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    assert {code.split()[0] for cell in first_cells for code in CODE.findall(cell)} == set(operate.commands)


def test_every_custom_field_in_the_crm_is_documented():
    documented = set(CODE.findall((ROOT / "docs/zoho.md").read_text()))
    assert {field.name for field in custom_fields(DEFAULT_FIELDS)} - documented == set()
