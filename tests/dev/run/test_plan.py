"""How the launcher reads the environment, `.env` and the Procfile, and checks the given stores."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dev.run.checks import check_database, redis_answers
from dev.run.plan import PlanError, children_environ, read_env_file, read_plan, read_procfile
from dev.run.preflight import check_ports
from dev.run.wrap_command import ephemeral_plan
from dev.servers.server_process import ROOT
from dev.visitors import GENEROUS

ZOHO = {"ZOHO_CLIENT_ID": "1000.X", "ZOHO_CLIENT_SECRET": "s", "ZOHO_REFRESH_TOKEN": "r"}


@pytest.fixture
def env_file(tmp_path):
    return tmp_path / ".env"


def test_without_any_setting_everything_is_embedded_and_the_crm_is_the_sandbox(env_file):
    plan = read_plan({}, env_file)
    assert [port for _, port, _ in plan.ports] == [8000, 5555, 8900]
    assert plan.sandbox
    assert plan.database_url == plan.redis_url == ""
    assert plan.data == ROOT / ".data"


def test_the_file_is_read_and_the_environment_outranks_it(env_file):
    env_file.write_text('PORT=8100 # the site\nFLOWER_PORT=5600\nCLINIC_PHONE="+90 212 000 00 00"\n')
    plan = read_plan({"PORT": "8200"}, env_file)
    assert (plan.port, plan.flower_port) == (8200, 5600)
    assert plan.environ["CLINIC_PHONE"] == "+90 212 000 00 00"


def test_an_empty_variable_does_not_hide_the_value_of_the_file(env_file):
    env_file.write_text("PORT=8100\nREDIS_URL=\n")
    plan = read_plan({"PORT": ""}, env_file)
    assert plan.port == 8100
    assert plan.redis_url == ""


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("NAME=plain", "plain"),
        ("NAME = spaced # comment", "spaced"),
        ("NAME='single \"quoted\"'", 'single "quoted"'),
        ('NAME="a # in quotes"', "a # in quotes"),
        ("NAME=a=b", "a=b"),
        ("NAME=", None),
        ("# NAME=comment", None),
        ("1NAME=no name", None),
        ("NAME", None),
    ],
)
def test_the_lines_of_the_file_are_read_as_a_shell_quotes_them(env_file, line, value):
    env_file.write_text(f"{line}\n")
    assert read_env_file(env_file).get("NAME") == value


def test_an_open_quote_in_the_file_is_named_with_its_line(env_file):
    env_file.write_text("PORT=8100\nMAIL_FROM=it's\n")
    with pytest.raises(PlanError, match=r"\.env, line 2: No closing quotation"):
        read_plan({}, env_file)


def test_the_procfile_names_the_migrations_and_the_processes_of_the_product():
    commands = read_procfile()
    assert list(commands) == ["release", "web", "worker", "flower"]
    assert commands["release"] == "alembic upgrade head"
    assert commands["worker"].endswith(
        " celery --quiet -A worker.app worker --without-gossip --without-mingle --loglevel=INFO"
    )


@pytest.mark.parametrize(("environ", "host"), [({}, "0.0.0.0"), ({"HOST": "127.0.0.1"}, "127.0.0.1")])
def test_a_platform_that_sets_no_host_can_reach_the_site(tmp_path, environ, host):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$HOST $*"\n')
    python.chmod(0o700)
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.defpath}", **environ}
    command = ["/bin/sh", "-c", read_procfile()["web"]]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout == f"{host} -m web\n"


def test_an_address_with_signs_survives_the_file(env_file):
    address = "postgresql://clinic:p%40ss@127.0.0.1:5432/clinic?sslmode=disable"
    env_file.write_text(f"DATABASE_URL={address}\n")
    assert read_plan({}, env_file).database_url == address


def test_the_example_file_is_a_valid_env_file_that_changes_nothing(env_file):
    plain = read_plan({}, env_file)
    assert read_plan({}, ROOT / ".env.example") == plain


def test_zoho_credentials_switch_the_sandbox_off(env_file):
    plan = read_plan(ZOHO, env_file)
    assert not plan.sandbox
    assert "SANDBOX_PORT" not in [variable for variable, _, _ in plan.ports]
    given = children_environ(plan, database_url="d", redis_url="r", flower_login="ops:x")
    assert given["ZOHO_CLIENT_ID"] == "1000.X"
    assert "ZOHO_API_URL" not in given
    assert "SMTP_URL" not in given


def test_celerys_warning_of_root_is_silent_and_every_other_one_is_not(env_file):
    plan = read_plan({}, env_file)
    given = children_environ(plan, database_url="d", redis_url="r", flower_login="ops:x")
    warn = (
        "import warnings; from celery.platforms import ROOT_DISCOURAGED as text, SecurityWarning as kind;"
        "warnings.warn(text, kind); warnings.warn('another', kind)"
    )
    ran = subprocess.run([sys.executable, "-c", warn], env=given, capture_output=True, text=True, check=True)
    assert "superuser" not in ran.stderr
    assert "another" in ran.stderr


def test_mail_goes_to_the_sandbox_unless_a_server_is_named(env_file):
    plan = read_plan({}, env_file)
    assert plan.sandbox_mail
    given = children_environ(plan, database_url="d", redis_url="r", flower_login="ops:x", mail_port=8926)
    assert given["SMTP_URL"] == "smtp://127.0.0.1:8926"
    own = read_plan({"SMTP_URL": "smtps://mail.example"}, env_file)
    assert not own.sandbox_mail
    given = children_environ(own, database_url="d", redis_url="r", flower_login="ops:x")
    assert given["SMTP_URL"] == "smtps://mail.example"


def test_half_of_the_credentials_is_refused_with_the_missing_names(env_file):
    with pytest.raises(PlanError, match="ZOHO_CLIENT_SECRET, ZOHO_REFRESH_TOKEN must be set too"):
        read_plan({"ZOHO_CLIENT_ID": "1000.X"}, env_file)


@pytest.mark.parametrize("text", ["web", "0", "65536", "-1", "80 80"])
def test_a_bad_port_is_named(env_file, text):
    with pytest.raises(PlanError, match="FLOWER_PORT must be a port number"):
        read_plan({"FLOWER_PORT": text}, env_file)


def test_an_ephemeral_product_cannot_reach_a_real_database_broker_or_crm(tmp_path):
    real = {
        **ZOHO,
        "DATABASE_URL": "postgresql://real",
        "REDIS_URL": "redis://real",
        "SMTP_URL": "smtp://real",
        "CRM_BATCH_ROWS": "7",
    }
    plan = ephemeral_plan(real, tmp_path)
    assert plan.sandbox
    assert plan.database_url == plan.redis_url == ""
    assert plan.environ == {"CRM_BATCH_ROWS": "7", "START_SECONDS": "1", "FLOWER_MAY_OPERATE": "yes", **GENEROUS}
    assert len({plan.port, plan.flower_port, plan.sandbox_port}) == 3
    check_ports(plan)


def test_a_database_that_is_away_is_named_without_its_password(env_file):
    plan = read_plan({"DATABASE_URL": "postgresql://clinic:hidden@127.0.0.1:1/clinic"}, env_file)
    with pytest.raises(
        PlanError, match=r"127\.0\.0\.1:1/clinic, which cannot be used: Connection refused"
    ) as refusal:
        check_database(plan)
    assert "hidden" not in str(refusal.value)


def test_a_database_address_that_is_none_is_explained(env_file):
    with pytest.raises(PlanError, match="DATABASE_URL must look like postgresql://"):
        check_database(read_plan({"DATABASE_URL": "127.0.0.1:5432"}, env_file))


def test_a_database_that_answers_is_accepted(env_file, postgres):
    check_database(
        read_plan({"DATABASE_URL": postgres.url.replace("postgresql:", "postgresql+psycopg:")}, env_file)
    )


def test_redis_is_asked_not_guessed(valkey):
    assert redis_answers(valkey.url)
    assert not redis_answers("redis://127.0.0.1:1/0")
    with pytest.raises(PlanError, match="REDIS_URL must look like redis://"):
        redis_answers("127.0.0.1:6379")
