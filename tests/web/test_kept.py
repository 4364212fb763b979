"""The files of earlier builds: served to pages that are still open, for 30 days, whatever happens to the folder."""

import errno
import logging
import os
import shutil
import time

import pytest

from web import pages
from web.pages import IN_USE, KEPT_SECONDS, keep_files

OLD_SCRIPT = "/assets/app-1a2b.js"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data/kept"


@pytest.fixture
def deploy(dist, folder, make_client):
    """Serves the build; with a name, the next one, whose files have other names."""

    def serve(name=None):
        if name:
            for old in (*dist.glob("assets/app-*"), *dist.glob("arrival-*")):
                old.unlink()
            (dist / "assets" / name).write_text("console.log('next');")
            (dist / f"arrival-{name}").write_text(f"import('./assets/{name}');")
        keep_files(dist, folder)
        return make_client(KEPT_FILES_DIR=str(folder))

    return serve


def age(folder, days):
    """As if the builds before this one had been replaced `days` earlier."""
    for file in folder.rglob("*"):
        if file.is_file() and file.stat().st_mtime != IN_USE:
            os.utime(file, (time.time() - days * 86_400,) * 2)


def test_a_page_of_the_build_before_gets_its_files(deploy):
    old = deploy()
    before = old.get(OLD_SCRIPT)
    client = deploy("app-9z8y.js")
    answer = client.get(OLD_SCRIPT)
    assert (answer.status_code, answer.data) == (200, before.data)
    for name in ("Content-Type", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy"):
        assert answer.headers[name] == before.headers[name]
    film = client.get("/assets/film-3c4d.mp4", headers={"Range": "bytes=0-3"})
    assert (film.status_code, film.data) == (206, bytes(range(4)))
    assert client.get("/arrival-5e6f.js").status_code == 200
    assert client.post(OLD_SCRIPT).status_code in {404, 405}
    # Processes of both builds run beside each other for a while.
    assert old.get("/assets/app-9z8y.js").text == "console.log('next');"


def test_thirty_days_after_a_build_was_replaced_its_files_go(folder, deploy):
    deploy()
    age(folder, 90)  # the first build has run for three months: pages of it were opened until today
    assert deploy("app-9z8y.js").get(OLD_SCRIPT).status_code == 200
    age(folder, 29)
    assert deploy("app-0123.js").get(OLD_SCRIPT).status_code == 200
    age(folder, KEPT_SECONDS / 86_400 + 1)
    client = deploy("app-4567.js")
    assert client.get(OLD_SCRIPT).status_code == client.get("/assets/app-9z8y.js").status_code == 404
    assert client.get("/assets/app-0123.js").status_code == 200  # replaced just now


@pytest.mark.parametrize(
    "address",
    [
        "/assets/../index.html",
        "/assets/%2e%2e/index.html",
        "/assets//etc/passwd",
        "/assets/app-1a2b.js.1~",
        "/assets/deeper/app-1a2b.js",
        "/index.html",
        "/assets/\x00",
        "/assets/" + "x" * 5000,
    ],
)
def test_nothing_else_in_the_folder_is_served(folder, deploy, address):
    client = deploy("app-9z8y.js")
    (folder / "index.html").write_text("OLD")
    (folder / "assets/app-1a2b.js.1~").write_text("half")
    (folder / "assets/deeper").mkdir()
    (folder / "assets/deeper/app-1a2b.js").write_text("deeper")
    answer = client.get(address)
    assert answer.status_code == 404
    assert not {"OLD", "half", "deeper"} & set(answer.text.split())


def test_a_folder_that_cannot_be_written_is_served_and_said_so_once(folder, deploy, monkeypatch, caplog):
    deploy()

    def refuse(*_args):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with caplog.at_level(logging.WARNING), monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", refuse)
        client = deploy("app-9z8y.js")
    assert [record.levelname for record in caplog.records if record.name == pages.__name__] == ["WARNING"]
    assert "Read-only file system" in caplog.text
    assert client.get(OLD_SCRIPT).status_code == client.get("/").status_code == 200
    assert [file.name for file in folder.rglob("*~")] == []
