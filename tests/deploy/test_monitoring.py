"""The alert rules and the dashboard: what they ask for exists, and every alert has its page in the runbook."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from api.limits.rules import PAGE_FAILURES_PER_ADDRESS
from leads.advice import read_advice
from leads.db import connect_engine
from leads.settings import read_settings
from tests.support.database import change
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from web.app import close_app, create_app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ADVICE = read_advice()
RULES = [rule for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
PANELS = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
QUERIES = {
    **{rule["alert"]: [rule["expr"]] for rule in RULES},
    **{panel["title"]: [target["expr"] for target in panel["targets"]] for panel in PANELS},
}
PROMTOOL = shutil.which("promtool")


# A worker has ticked, and a lead has been delivered.
LIVED = (
    "UPDATE destinations SET seen_at = now()",
    (
        "INSERT INTO attempts (destination, at, kind, row_id, event, code)"
        " SELECT 'zoho', now() - interval '1 min', 'lead', id, 'sent', 'SENT' FROM leads"
    ),
)


@pytest.fixture(scope="module")
def series(module_database_url):
    """The names of all series of a product that has delivered a lead, and the labels of each."""
    settings = read_settings({"DATABASE_URL": module_database_url, "FRONTEND_DIR": "no-such-build"})
    app, engine = create_app(settings), connect_engine(settings.database_url, pool=1, name="test")
    try:
        app.test_client().post("/api/leads", json=PAYLOAD)
        metrics_of(app)  # attempts are counted from the first scrape on
        for statement in LIVED:
            change(engine, statement)
        text = metrics_of(app)
    finally:
        close_app(app)
        engine.dispose()
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        if match := re.match(r"(\w+)(?:\{(.*)\})? ", line):
            found.setdefault(match[1], set()).update(re.findall(r'(\w+)="', match[2] or ""))
        elif declared := re.match(r"# TYPE (\w+) counter", line):
            found.setdefault(declared[1], set())  # a counter without a series yet
    return found


@pytest.mark.parametrize("name", QUERIES)
def test_what_a_query_asks_for_exists(name, series):
    for query in QUERIES[name]:
        asked = re.findall(r"(clinic_\w+)(?:\{([^}]*)\})?", query)
        assert asked
        for metric, matchers in asked:
            assert metric in series, f"{name}: no metric {metric}"
            labels = set(re.findall(r"(\w+)\s*[=!]~?", matchers))
            assert not series[metric] or labels <= series[metric], f"{name}: {metric} has no {labels}"


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_every_alert_has_its_page_in_the_runbook(rule):
    page, _, anchor = rule["annotations"]["runbook"].partition("#")
    titles = re.findall(r"^## (.+)$", (ROOT / page).read_text(), re.MULTILINE)
    assert anchor in {title.lower().replace(" ", "-") for title in titles}
    assert set(re.findall("page|warn", rule["labels"]["severity"])) in ({"page"}, {"warn"}, {"page", "warn"})


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_an_alert_of_a_watch_says_what_status_says(rule):
    watch = rule["annotations"]["runbook"].partition("#")[2]
    is_of_watch = watch in ADVICE and rule["alert"] not in {"EnquiriesRefused", "Flood"}
    assert not is_of_watch or rule["annotations"]["description"] == ADVICE[watch]


def test_every_watch_rings_and_the_rules_are_few():
    told = {rule["annotations"]["runbook"].partition("#")[2] for rule in RULES}
    assert ADVICE.keys() - told == {"losing"}  # such a row has waited for longer than RowsWait allows
    assert len(RULES) <= 13


NO_PROMTOOL = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not installed (Debian, Ubuntu: apt install prometheus)"
)
POSTS = 'clinic_request_seconds_count{endpoint="leads.post_lead", status="%s"}'
TROUBLE = 'clinic_trouble{name="%s", destination="%s"}'
# Metrics as they come in minute by minute, and the minutes after which the alert is silent and then rings; None:
# amber passes by itself.
STORIES = [
    ("EnquiriesRefused", POSTS % 500, "0 0 1 1 1", 1, 3),
    ("EnquiriesRefused", POSTS % 503, "0 0 1 1 1", 1, 3),
    ("EnquiriesRefused", POSTS.replace("leads.post_lead", "probes.readyz") % 503, "0 0 1 2 3", 4, None),
    ("DatabaseGone", TROUBLE % ("storage", ""), "0 0 2 2 2", 2, 3),
    ("DiskFull", TROUBLE % ("disk", ""), "0 0 2 2 2", 1, 2),
    ("WorkersGone", TROUBLE % ("workers", ""), "0 0 2 2 2", 2, 3),
    ("CallsStopped", TROUBLE % ("paused", "zoho"), "0 0 2 2 2", 1, 2),
    ("CallsFail", TROUBLE % ("failing", "staff-mail"), "0 1 2x9", 5, 6),
    ("CallsFail", TROUBLE % ("failing", "visitor"), "0 1 2x9", 5, 6),
    ("CallsFail", TROUBLE % ("failing", "zoho"), "1x9", 9, None),
    ("RowsWait", TROUBLE % ("oldest", "zoho"), "0 0 2 2 2", 1, 2),
    ("RowsRefused", TROUBLE % ("refused", "zoho"), "0 0 2 2 2", 1, 2),
    ("EnquiriesHeld", TROUBLE % ("held", "zoho"), "0 0 2x8", 6, 8),
    ("RedisGone", TROUBLE % ("redis", ""), "0 0 2x8", 6, 8),
    ("CrmDiffers", TROUBLE % ("fields", ""), "0 0 2 2 2", 1, 2),
]


@NO_PROMTOOL
@pytest.mark.parametrize(("alert", "series", "values", "silent", "rings"), STORIES)
def test_an_alert_rings_when_it_must_and_not_before(alert, series, values, silent, rings, tmp_path):
    (rule,) = [rule for rule in RULES if rule["alert"] == alert]
    expected = [{"eval_time": f"{silent}m", "alertname": alert, "exp_alerts": []}]
    if rings:
        expected.append({"eval_time": f"{rings}m", "alertname": alert, "exp_alerts": [fired(rule, series)]})
    tell({series: values}, expected, tmp_path)


def fired(rule, series):
    """The alert as promtool tells it: with the destination of its series, if it rings for each."""
    if "by (destination)" not in rule["expr"]:
        return {"exp_labels": rule["labels"], "exp_annotations": rule["annotations"]}
    (destination,) = re.findall(r'destination="([^"]+)"', series)
    words = {
        name: text.replace("{{ $labels.destination }}", destination) for name, text in rule["annotations"].items()
    }
    severity = "warn" if destination == "visitor" and "visitor" in rule["labels"]["severity"] else "page"
    return {"exp_labels": {"severity": severity, "destination": destination}, "exp_annotations": words}


@NO_PROMTOOL
def test_a_pause_that_somebody_made_rings_nobody(tmp_path):
    paused = {TROUBLE % ("paused", "zoho"): "2x9", 'clinic_paused{destination="zoho", reason="paused"}': "1x9"}
    tell(paused, [{"eval_time": "9m", "alertname": "CallsStopped", "exp_alerts": []}], tmp_path)


@NO_PROMTOOL
def test_a_browser_in_which_pages_fail_is_named_and_one_address_cannot_ring_that(tmp_path):
    (rule,) = [rule for rule in RULES if rule["alert"] == "PagesFail"]
    most = 2 * PAGE_FAILURES_PER_ADDRESS
    named = {**rule["annotations"], "summary": "Pages fail in chromium"}
    labels = {**rule["labels"], "engine": "chromium"}
    failures = 'clinic_page_failures_total{{instance="{}", kind="{}", engine="{}"}}'
    series = {
        failures.format("a", "chunk", "chromium"): f"0 {most}x9",
        failures.format("b", "error", "chromium"): "0 0 0 5x7",
        failures.format("a", "error", "other"): f"0 {5 * most}x9",
    }
    expected = [
        {"eval_time": "2m", "alertname": "PagesFail", "exp_alerts": []},
        {
            "eval_time": "4m",
            "alertname": "PagesFail",
            "exp_alerts": [{"exp_labels": labels, "exp_annotations": named}],
        },
    ]
    tell(series, expected, tmp_path)


def tell(series, expected, folder):
    """Have promtool judge the rules over these series, a value a minute."""
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    test = {"interval": "1m", "input_series": inputs, "alert_rule_test": expected}
    (folder / "story.yml").write_text(yaml.safe_dump({"rule_files": [str(DEPLOY / "alerts.yml")], "tests": [test]}))
    told = subprocess.run([PROMTOOL, "test", "rules", "story.yml"], cwd=folder, check=False, capture_output=True)
    assert told.returncode == 0, told.stdout + told.stderr


@NO_PROMTOOL
def test_prometheus_accepts_the_rules_and_its_configuration():
    checked = subprocess.run(
        [PROMTOOL, "check", "config", DEPLOY / "prometheus.yml"], check=False, capture_output=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"SUCCESS: {len(RULES)} rules found" in checked.stdout.decode()


AMTOOL = shutil.which("amtool")


@pytest.mark.skipif(AMTOOL is None, reason="amtool is not installed (Debian: apt install prometheus-alertmanager)")
def test_alertmanager_accepts_its_configuration_and_tells_somebody_of_every_severity():
    file = DEPLOY / "alertmanager.yml"
    checked = subprocess.run([AMTOOL, "check-config", file], check=False, capture_output=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for severity in ("page", "warn"):
        routed = subprocess.run(
            [AMTOOL, "config", "routes", "test", f"--config.file={file}", f"severity={severity}"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        assert routed.stdout.strip() == "operators"
