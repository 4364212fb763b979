"""The models hold, and every rule that is left out breaks its property (make model)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.model.__main__ import choose
from dev.model.checks import CHECKS
from dev.model.spin import missing_tools, run_check

PAGE = Path(__file__).parents[3] / "docs/model.md"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(missing_tools() is not None, reason=missing_tools() or "")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_a_check_finds_what_it_must(check, tmp_path):
    verdict = run_check(check, tmp_path / "check")
    assert verdict.broken == check.breaks, "\n".join(verdict.story)


def test_a_check_runs_alone_by_its_name():
    assert [check.name for check in choose(["NOFENCE", "gate"])] == ["NOFENCE", "gate"]
    with pytest.raises(SystemExit, match="no check is called NOSUCH"):
        choose(["NOSUCH"])


def test_the_page_lists_every_check():
    listed = [row.split("|")[1].strip() for row in PAGE.read_text().splitlines() if row.startswith("| ")]
    assert [name for name in listed if name != "check"] == [check.name for check in CHECKS]
