"""Each run of the warm process is pytest's own, sees the folder as it is then, and ends."""

from __future__ import annotations

import os
from contextlib import closing

import pytest

from proofs.mutants.warm import NO_END, Warm

CONFIGURATION = "[pytest]\naddopts = --import-mode=importlib\npythonpath = .\n"
TEST = "from product import ANSWER\n\ndef test_it():\n    assert ANSWER == 1\n"


@pytest.mark.slow
def test_each_run_loads_the_folder_anew(tmp_path):
    (tmp_path / "pytest.ini").write_text(CONFIGURATION)
    (tmp_path / "test_it.py").write_text(TEST)
    words = ["-q", "-p", "no:cacheprovider", "test_it.py"]
    with closing(Warm(tmp_path, {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})) as warm:
        codes = []
        for source in ("ANSWER = 1\n", "ANSWER = 2\n", "while True: pass\n", "ANSWER = 1\n"):
            (tmp_path / "product.py").write_text(source)
            seconds = 2 if "while" in source else 60
            codes.append(warm.pytest(words, seconds)[0])
            if len(codes) == 2:
                assert "assert 2 == 1" in warm.pytest(words, seconds)[1]
    assert codes == [0, 1, NO_END, 0]
