"""A clinic's own photograph becomes the files that the pages' build reads, under its own name."""

import json
import sys

import pytest
from PIL import Image

from tools.pictures import photograph
from tools.pictures.export import export


@pytest.fixture
def images(tmp_path):
    """A folder of pictures with one that is there already."""
    folder = tmp_path / "images"
    folder.mkdir()
    there = {
        "treatments": {"width": 1200, "height": 900, "widths": [480, 800, 1200], "colours": {"old": "#000000"}}
    }
    (folder / "manifest.json").write_text(json.dumps(there))
    return folder


def taken(tmp_path, size, name="whitening.png"):
    file = tmp_path / name
    Image.new("RGB", size, "#336699").save(file)
    return file


def sides_of(file):
    with Image.open(file) as picture:
        return picture.size


@pytest.mark.slow
def test_a_new_picture_has_its_files_and_its_entry_beside_the_others(tmp_path, images):
    assert export(taken(tmp_path, (1600, 1000)), "treatments", "whitening", images) > 0
    made = {file.name: sides_of(file) for file in (images / "treatments").iterdir()}
    assert made == {
        f"whitening-{width}.{ending}": (width, width * 3 // 4)
        for width in (288, 480, 800, 1200)
        for ending in ("avif", "webp")
    }
    entry = json.loads((images / "manifest.json").read_text())["treatments"]
    assert entry["widths"] == [288, 480, 800, 1200]
    assert entry["colours"] == {"old": "#000000", "whitening": "#336699"}


def test_a_photograph_that_is_too_small_is_refused_in_words(tmp_path, images, monkeypatch, capsys):
    file = taken(tmp_path, (1199, 900))
    monkeypatch.setattr(sys, "argv", ["photograph", "treatments", str(file)])
    assert photograph.main() == 1
    assert capsys.readouterr().err == f"{file}: It measures 1199x900; at least 1200x900 is needed.\n"
    assert not (images / "treatments").exists()
