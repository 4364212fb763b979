"""`make browsers` on a machine without the engines: it names what is missing, and does not pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NODE = ROOT / ".venv" / "node" / "node"  # of the wheel, whatever the machine has
CHROMIUM = "Chromium is not installed, so it is left out (Debian: apt install chromium)\n"
FIREFOX = "Firefox is not installed, so it is left out (Debian: apt install firefox-esr)\n"
WEBKIT = (
    "WebKit is not installed, so it is left out "
    "(Debian: apt install webkit2gtk-driver xvfb matchbox-window-manager)\n"
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], CHROMIUM + FIREFOX + WEBKIT),
        (["--only", "chromium"], CHROMIUM),
        (["--only", "webkit"], WEBKIT),
        (["--only", "firefox"], FIREFOX),
    ],
)
def test_a_machine_without_engines_is_told_what_to_install(arguments, said, tmp_path):
    script = ROOT / "proofs" / "browsers" / "run.mjs"
    ended = subprocess.run(
        [NODE, script, "--check", *arguments],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, said)
    assert ended.stderr == "No engine to walk through the site in.\n"
