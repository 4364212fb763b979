"""Settings: one message for all that is wrong, defaults that work, and secrets that do not print."""

import re
from contextlib import nullcontext
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from leads.settings import Settings, SettingsError, read_settings
from tests.support.samples import WEBHOOK_SECRET

URL = {"DATABASE_URL": "postgresql://u:secret@h/d"}


def test_only_the_database_is_required():
    settings = read_settings(URL)
    assert settings.database_url == "postgresql+psycopg://u:secret@h/d"
    assert (settings.crm_concurrency, settings.crm_lease_seconds) == (10, 60.0)


def test_every_bad_variable_is_named_at_once_and_no_value_is_shown():
    with pytest.raises(SettingsError) as refused:
        read_settings(
            {"DATABASE_URL": "mysql://hush", "CRM_CONCURRENCY": "1000", "ENVIRONMENT": "moon", "REDIS_URL": "x"}
        )
    message = str(refused.value)
    assert all(name in message for name in ("DATABASE_URL", "CRM_CONCURRENCY", "ENVIRONMENT", "REDIS_URL"))
    assert "hush" not in message


def test_an_empty_variable_counts_as_not_set():
    assert read_settings({**URL, "PORT": "", "CRM_CONCURRENCY": " "}).crm_concurrency == 10
    with pytest.raises(SettingsError, match="DATABASE_URL is required"):
        read_settings({"DATABASE_URL": ""})


def test_secrets_do_not_print():
    settings = read_settings(
        {**URL, "ZOHO_CLIENT_SECRET": "hush", "ZOHO_REFRESH_TOKEN": "hush", "REDIS_URL": "redis://:hush@h/0"}
    )
    assert "hush" not in repr(settings)
    assert "secret" not in repr(settings.database_url)
    assert settings.zoho_client_secret == "hush"


@pytest.mark.parametrize(
    ("environment", "chosen", "mode"),
    [
        ("development", "", "immediate"),
        ("production", "", "after-consent"),
        ("production", "immediate", "immediate"),
        ("development", "after-consent", "after-consent"),
    ],
)
def test_campaign_data_waits_for_consent_in_production(environment, chosen, mode):
    settings = read_settings({**URL, "ENVIRONMENT": environment, "ATTRIBUTION_STORAGE": chosen})
    assert settings.storage_mode == mode


def test_the_example_file_names_every_setting_and_the_real_defaults():
    example = (Path(__file__).parents[2] / ".env.example").read_text()
    differing = {}
    for setting in fields(Settings):
        name = setting.metadata["env"]
        (text,) = re.findall(rf"^#{name}=(.*)$", example, re.MULTILINE)
        shown = setting.metadata["parse"](text.strip('"')) if text else None
        if setting.default is not MISSING and (shown or None) != (setting.default or None):
            differing[name] = (shown, setting.default)
    assert differing == {}


def test_production_names_everything_that_it_lacks_at_once():
    with pytest.raises(SettingsError) as refused:
        read_settings(
            {"DATABASE_URL": "postgresql://clinic@db/clinic", "ENVIRONMENT": "production", "ERASURE_KEY": "a" * 40},
            needed=("CLINIC_PHONE", "WHATSAPP_NUMBER", "ERASURE_KEY"),
        )
    named = [line.split()[0] for line in str(refused.value).splitlines()[1:]]
    assert sorted(named) == ["CLINIC_PHONE", "DATABASE_URL", "ERASURE_KEY", "WHATSAPP_NUMBER"]
    assert "aaaa" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("CLINIC_FONE", "CLINIC_FONE is no setting: did you mean CLINIC_PHONE?"),
        ("ZOHO_CLIENTID", "ZOHO_CLIENTID is no setting: did you mean ZOHO_CLIENT_ID?"),
        ("ERASURE_KEYS_FILE", "ERASURE_KEYS_FILE is no setting: did you mean ERASURE_KEY?"),
        ("SMTP_URL_FILE", "SMTP_URL_FILE is no setting: did you mean SMTP_URL?"),
        ("HOSTNAME", ""),
        ("SANDBOX_PORT", ""),
    ],
)
def test_a_name_that_is_nearly_a_settings_is_warned_of(name, warning, caplog):
    read_settings(URL | {name: ""})
    assert caplog.messages == ([warning] if warning else [])


@pytest.mark.parametrize(
    ("url", "more"),
    [
        ("postgresql://clinic:secret@db/clinic", {}),
        ("postgresql:///clinic", {}),
        ("postgresql:///clinic?host=/var/run/postgresql", {}),
        ("postgresql://clinic@%2Fvar%2Frun%2Fpostgresql/clinic", {}),
        ("postgresql://clinic@db/clinic?passfile=/run/secrets/pgpass", {}),
        ("postgresql://clinic@db/clinic", {"PGPASSWORD": "secret"}),
    ],
)
def test_a_database_may_be_guarded_in_any_way_that_libpq_knows(url, more):
    assert read_settings({"DATABASE_URL": url, "ENVIRONMENT": "production", **more}).environment == "production"


@pytest.mark.parametrize("key", ["short", "a" * 40, "abcabcabcabcabcabc", "1234567123456712345671234567"])
def test_a_weak_key_is_refused_and_a_random_one_taken(key):
    assert read_settings(URL | {"ERASURE_KEY": "9f86d081884c7d659a2feaa0c55ad015"}).erasure_key
    with pytest.raises(SettingsError, match="ERASURE_KEY must have at least 16 characters"):
        read_settings(URL | {"ERASURE_KEY": key})


@pytest.mark.parametrize(
    "secret",
    [
        "9f86d081884c7d659a2feaa0c55ad015",
        "whsec_9f86d081884c7d65",
        "whsec_not base64 at all, only so long",
        "whsec_" + "MDEy" * 22,
    ],
    ids=["hexadecimal", "too short", "no base64", "too long"],
)
def test_a_webhooks_secret_has_the_standards_form(secret):
    with pytest.raises(SettingsError, match="LEAD_WEBHOOK_SECRET must be whsec_"):
        read_settings(URL | {"LEAD_WEBHOOK_SECRET": secret})
    assert read_settings(URL | {"LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET}).lead_webhook_secret == WEBHOOK_SECRET


@pytest.mark.parametrize(
    ("name", "address", "is_taken"),
    [
        ("SMTP_URL", "smtp://clinic:a%40b@mail.example:587", True),
        ("SMTP_URL", "smtps://[::1]", True),
        ("SMTP_URL", "smtp://mail.example:0", False),
        ("SMTP_URL", "https://mail.example", False),
        ("LEAD_WEBHOOK_URL", "https://staff.example/hook", True),
        ("LEAD_WEBHOOK_URL", "http://localhost:9000/hook", True),
        ("LEAD_WEBHOOK_URL", "http://staff.example/hook", False),
        ("LEAD_WEBHOOK_URL", "http://localhost.example/hook", False),
    ],
)
def test_a_receivers_address_is_what_it_must_be(name, address, is_taken):
    with nullcontext() if is_taken else pytest.raises(SettingsError, match=name):
        read_settings(URL | {name: address})


def test_a_secret_may_come_from_a_file_and_an_empty_one_counts_as_not_set(tmp_path):
    (tmp_path / "database_url").write_text("postgresql://clinic:from-a-file@127.0.0.1/clinic\n")
    (tmp_path / "smtp_url").write_text("\n")
    settings = read_settings({"CREDENTIALS_DIRECTORY": str(tmp_path), "DATABASE_URL": ""})
    assert settings.database_url == "postgresql+psycopg://clinic:from-a-file@127.0.0.1/clinic"
    assert (settings.smtp_url, settings.erasure_key) == ("", "")


def test_a_secret_that_cannot_be_read_and_one_that_is_set_twice_are_named(tmp_path):
    (tmp_path / "erasure_key").write_text("a key of sixteen or more")
    (tmp_path / "smtp_url").mkdir()
    twice = {"ERASURE_KEY": "another of sixteen or more", "CREDENTIALS_DIRECTORY": str(tmp_path)}
    with pytest.raises(SettingsError) as failed:
        read_settings({**URL, **twice})
    message = str(failed.value)
    assert f"SMTP_URL cannot be read from {tmp_path}/smtp_url" in message
    assert f"ERASURE_KEY is set, and so is the file {tmp_path}/erasure_key" in message
    assert "sixteen" not in message
