"""A dump that fails leaves nothing behind, and says so."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy/backup/backup.sh"
WRITES_ITS_FILE = """
for word in "$@"; do
  case $word in --file=*) printf "%s" {text} > "${{word#--file=}}" ;; esac
done
exit {code}
"""


def back_up(folder, *, text, code):
    """The script's result with a pg_dump that writes this text and ends with this code, and the files it left."""
    program, dumps, registers = (folder / name for name in ("bin/pg_dump", "dumps", "register"))
    for made in (program.parent, dumps, registers):
        made.mkdir()
    program.write_text("#!/bin/sh" + WRITES_ITS_FILE.format(text=text, code=code))
    program.chmod(0o755)
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}", "BACKUP_DIR": str(dumps), "REGISTER_DIR": str(registers),
    }  # fmt: skip
    done = subprocess.run(["sh", SCRIPT, "once"], env=environment, capture_output=True, text=True, check=False)
    return done, sorted(file.suffix for file in [*dumps.iterdir(), *registers.iterdir()])


@pytest.mark.parametrize(("text", "code"), [("half", 1), ("''", 0)], ids=["failed", "empty"])
def test_of_a_dump_that_failed_or_is_empty_nothing_is_left(tmp_path, text, code):
    done, files = back_up(tmp_path, text=text, code=code)
    assert (done.returncode, files) == (1, [])
    assert "FAILED" in done.stderr


def test_a_whole_dump_has_its_name(tmp_path):
    done, files = back_up(tmp_path, text="whole", code=0)
    assert (done.returncode, files) == (0, [".dump", ".dump"])
