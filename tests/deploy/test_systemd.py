"""The units of a server without containers: what they start exists, each has its own user, secrets, walls."""

import re
import shutil
import subprocess
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from leads.settings import read_settings
from tests.deploy.test_make_secrets import NUMBERS, make
from tools.run.plan import read_procfile
from web.__main__ import NEEDED as NEEDED_BY_SITE
from worker.context import NEEDED as NEEDED_BY_WORKERS

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy/systemd"
SERVICE_FILES = sorted(UNITS.glob("clinic-*.service"))
CURRENT = re.compile(r"/opt/clinic/(?:current|%i)/")
RELEASE = "1.0.0"
NOT_OURS = re.compile(r"PYTHON\w+|PG\w+|RES_OPTIONS|REGISTER_DIR|BACKUP_DIR")
MOST_EXPOSED = 15  # systemd's measure, in tenths: 0 is closed, 100 open


def read_unit(file):
    """Settings with all their values, in the order in which systemd reads them: the unit's, then its drop-ins'."""
    name = file.name.removesuffix(".service")
    parts = name.split("-")
    folders = [f"{'-'.join(parts[:number])}-.service.d" for number in range(1, len(parts))] + [f"{name}.service.d"]
    drop_ins = sorted(
        (part for folder in folders for part in (UNITS / folder).glob("*.conf")), key=lambda p: p.name
    )
    found = defaultdict(list)
    for part in (file, *drop_ins):
        for line in part.read_text().splitlines():
            if match := re.match(r"(\w+)=(.*)", line):
                found[match[1]].append(match[2])
    return found


def variables_of(unit):
    words = [word for line in unit["Environment"] for word in re.findall(r'"[^"]+"|\S+', line)]
    return dict(word.strip('"').partition("=")[::2] for word in words)


ALL = {file.name.removesuffix(".service"): read_unit(file) for file in SERVICE_FILES}


def on_every_unit(test):
    return pytest.mark.parametrize("unit", ALL.values(), ids=ALL)(test)


@on_every_unit
def test_what_a_unit_starts_exists(unit):
    (command,) = unit["ExecStart"]
    program, *words = CURRENT.sub("", command).split()
    if program == ".venv/bin/python":
        assert words[0] == "-m"
        assert find_spec(words[1])
    elif program.startswith(".venv/bin/"):
        assert Path(program).name in {"celery", "alembic"}
    else:
        assert (ROOT / program).is_file()
        assert re.search(rf"^  {words[0]}\)", (ROOT / program).read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", ["web", "worker", "flower"])
def test_a_process_is_started_as_in_the_procfile(name):
    (command,) = ALL[f"clinic-{name}"]["ExecStart"]
    line = (
        read_procfile()[name].replace('"${HOST:-127.0.0.1}"', "127.0.0.1").replace('"${FLOWER_PORT:-5555}"', "5555")
    )
    assert CURRENT.sub("", command).replace(".venv/bin/", "") == re.sub(r'^exec (env( \w+="[^"]+")+ )?', "", line)


@on_every_unit
def test_each_secret_of_a_unit_is_one_of_those_that_setup_makes(unit, tmp_path):
    given = {line.partition(":")[0]: line.partition(":")[2] for line in unit["LoadCredential"]}
    assert given == {name: f"/etc/clinic/secrets/{name}" for name in given}
    assert given.keys() <= make(tmp_path / "secrets", "host").keys()


def test_each_process_has_a_user_of_its_own():
    made = re.findall(r"^u (\S+)", (UNITS / "clinic.sysusers").read_text(), re.MULTILINE)
    users = {name: unit["User"][-1] for name, unit in ALL.items()}
    assert set(users.values()) == set(made)
    assert len({users[f"clinic-{name}"] for name in ("web", "worker", "flower", "backup")}) == 4


@pytest.mark.parametrize(
    ("name", "needed"), [("web", NEEDED_BY_SITE), ("worker", NEEDED_BY_WORKERS), ("flower", ()), ("migrate@", ())]
)
def test_every_unit_starts_in_production_with_what_it_is_given(tmp_path, name, needed):
    folder = tmp_path / "secrets"
    made = make(folder, "host")
    assert not [secret for secret in made if "database" in secret or "postgres" in secret]
    unit = ALL[f"clinic-{name}"]
    for secret in made.keys() - {line.partition(":")[0] for line in unit["LoadCredential"]}:
        (folder / secret).unlink()
    variables = variables_of(unit) | {"CREDENTIALS_DIRECTORY": str(folder)}  # systemd sets it
    settings = read_settings({**NUMBERS, **variables}, needed=needed)
    assert settings.environment == "production"
    assert settings.database_url.endswith("?host=/run/postgresql")


ANALYZE = shutil.which("systemd-analyze")
NO_SYSTEMD = pytest.mark.skipif(
    ANALYZE is None, reason="systemd-analyze is not installed (Debian: apt install systemd)"
)


@pytest.fixture
def system(tmp_path):
    """The units as install.sh leaves them, in a root folder that has what they start."""
    shutil.copytree(
        UNITS, tmp_path / "etc/systemd/system", ignore=shutil.ignore_patterns("*.sh", "clinic", "*.conf", ".*")
    )
    for folder in UNITS.glob("*.service.d"):
        shutil.copytree(folder, tmp_path / "etc/systemd/system" / folder.name, dirs_exist_ok=True)
    for unit in ALL.values():
        program = tmp_path / unit["ExecStart"][0].split()[0].lstrip("/").replace("%i", RELEASE)
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return tmp_path


@NO_SYSTEMD
def test_systemd_accepts_the_units(system):
    units = [*SERVICE_FILES, *UNITS.glob("*.timer")]
    names = [unit.name.replace("@.", f"@{RELEASE}.") for unit in units]
    done = subprocess.run(
        [ANALYZE, "verify", f"--root={system}", "--man=no", "--generators=no", "--recursive-errors=no", *names],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, [line for line in done.stderr.splitlines() if "clinic-" in line]) == (0, [])


@NO_SYSTEMD
@pytest.mark.parametrize("name", [file.name for file in SERVICE_FILES])
def test_a_unit_is_closed(system, name):
    words = [f"--root={system}", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", name]
    done = subprocess.run([ANALYZE, "security", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-600:] + done.stderr
