"""`make run` starts with other values of all settings of `.env.example`."""

import re

import pytest

from tests.support.samples import WEBHOOK_SECRET
from tests.tools.run.test_launcher import launch
from tools.servers.server_process import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.process]

NAMES = re.findall(r"^#([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
# The test gives its own; they name what is not there (a real CRM, another store), or are Compose's.
LEFT_OUT = {
    *("PORT", "FLOWER_PORT", "SANDBOX_PORT", "DATA_DIR", "DATABASE_URL", "REDIS_URL"),
    *("ZOHO_CLIENT_ID", "ZOHO_CLIENT_SECRET", "ZOHO_REFRESH_TOKEN", "SMTP_URL"),
    *("SITE_HOST", "BACKUP_DAYS", "PUBLIC_HTTP_PORT", "PUBLIC_HTTPS_PORT", "SECRETS_DIR"),
}
OTHER = {
    "LOG_FORMAT": "json", "SENTRY_DSN": "http://key@127.0.0.1:9/1",
    "ZOHO_DATA_CENTER": "IN", "ZOHO_URL": "http://127.0.0.1:9",
    "ZOHO_FIELDS": "all", "ZOHO_FIELD_MAP": "google_gclid=$gclid", "ZOHO_ASSIGNMENT_RULE": "554023000000",
    "CRM_CONCURRENCY": "2", "CRM_LEASE_SECONDS": "30",
    "MAIL_FROM": '"Clinic <ask@clinic.example>"', "MAIL_REPLY_TO": "desk@clinic.example",
    "STAFF_MAIL_TO": "ann@clinic.example,bob@clinic.example", "STAFF_NOTICE": "full",
    "LEAD_WEBHOOK_URL": "http://127.0.0.1:9/", "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
    "RETENTION_MONTHS": "1",
    "ERASURE_KEY": "0123456789abcdef-key", "ENVIRONMENT": "production",
    "FRONTEND_DIR": "{folder}", "KEPT_FILES_DIR": "{folder}/kept", "HOST": "0.0.0.0",
    "METRICS_HOST": "0.0.0.0", "METRICS_PORT": "0",
    "SITE_URL": "https://www.clinic.example", "TRUSTED_PROXY_HOPS": "1",
    "COUNTRY_HEADER": "CF-IPCountry", "CLINIC_PHONE": '"+90 212 555 01 02"',
    "WHATSAPP_NUMBER": "905325550102", "SHOW_SAMPLES": "yes", "ATTRIBUTION_STORAGE": "after-consent",
    "GOOGLE_ADS_CONVERSION": "AW-123456789/label", "META_PIXEL_ID": "1234567890", "ANALYTICS_ID": "G-XXXXXXXXXX",
    "FLOWER_BASIC_AUTH": "ann:a long password",
}  # fmt: skip


def test_it_starts_with_another_value_of_every_setting(tmp_path):
    assert {*OTHER, *LEFT_OUT} == set(NAMES)
    env_file = tmp_path / ".env"
    env_file.write_text("\n".join(f"{name}={value.format(folder=tmp_path)}" for name, value in OTHER.items()))
    (tmp_path / "go-live.json").write_text("[]")  # of the build in that folder nothing is missing
    running = launch(tmp_path, env_file)
    assert running.printed("The product runs"), running.screen.read_text()
    assert running.end() == 0
