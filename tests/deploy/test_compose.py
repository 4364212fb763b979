"""docker-compose.yml: closed containers, secrets as files for those that need them, separate networks."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
RUNNING = sorted(name for name in SERVICES if "profiles" not in SERVICES[name])
MONITORING = yaml.safe_load((ROOT / "deploy/monitoring.yml").read_text())["services"]


@pytest.mark.parametrize("name", [*RUNNING, *MONITORING])
def test_a_container_is_closed_and_has_limits(name):
    service = SERVICES.get(name) or MONITORING[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    assert re.search(r":[\d.v]+\d$", service["image"])


def test_no_secret_stands_in_the_environment():
    variables = {variable for name in RUNNING for variable in SERVICES[name].get("environment", {})}
    secret = re.compile(r"PASSWORD|SECRET|TOKEN|_KEY|_URL|BASIC_AUTH")
    assert {name for name in variables if secret.search(name) and not name.endswith("_FILE")} == set()


def test_the_worker_s_name_lookups_end_soon_in_compose_and_on_a_platform():
    """Nothing else limits a lookup: the time-outs of a call are those of its socket."""
    (line,) = (line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("worker: "))
    limits = SERVICES["worker"]["environment"]["RES_OPTIONS"]
    assert limits == "timeout:1 attempts:2"
    assert f'RES_OPTIONS="{limits}" celery' in line


def test_strangers_reach_the_proxy_alone():
    published = {name: SERVICES[name]["ports"] for name in RUNNING if "ports" in SERVICES[name]}
    assert sorted(published) == ["flower", "proxy", "web"]
    local = [*published["flower"], *published["web"]]  # Flower, and the metrics
    assert all(port.startswith("127.0.0.1:") for port in local)


@pytest.mark.parametrize("name", MONITORING)
def test_the_monitoring_stands_in_this_host_s_network_and_listens_on_loopback(name):
    service = MONITORING[name]
    assert service["network_mode"] == "host"
    words = dict(word.lstrip("-").split("=", 1) for word in service["command"])
    assert words["web.listen-address"].startswith("127.0.0.1:")
    configuration = words["config.file"].replace("/deploy/", "deploy/")
    assert (ROOT / configuration).is_file()
    port = words["web.listen-address"]
    assert name == "prometheus" or f'"{port}"' in (ROOT / "deploy/prometheus.yml").read_text()


def test_the_proxy_finds_a_site_that_was_replaced_under_another_address():
    """`resolve` asks again. nginx has it since 1.27.3; on Debian the site keeps its address."""
    proxy = SERVICES["proxy"]
    assert proxy["environment"]["SITE_UPSTREAM"] == "web:8000 resolve"
    version = tuple(int(part) for part in proxy["image"].partition(":")[2].split("."))
    assert version >= (1, 27, 3)
    template = (ROOT / "deploy/proxy/site.conf.template").read_text()
    assert re.search(r"\n    zone site \w+;", template)
    assert "\nresolver 127.0.0.11 valid=10s;" in template  # Docker's own name server


def test_only_workers_reach_the_world_and_have_the_crms_secrets():
    assert [name for name in RUNNING if "outside" in SERVICES[name]["networks"]] == ["worker"]
    assert [name for name in RUNNING if "zoho_refresh_token" in SERVICES[name].get("secrets", ())] == ["worker"]
    assert all(COMPOSE["networks"][name]["internal"] for name in ("store", "queue"))
    assert "store" not in SERVICES["proxy"]["networks"]


def test_files_of_earlier_builds_have_a_volume_that_the_site_may_write():
    web = SERVICES["web"]
    folder = web["environment"]["KEPT_FILES_DIR"]
    assert web["volumes"] == [f"kept:{folder}"]
    assert "kept" in COMPOSE["volumes"]
    made = rf"install --directory --owner=clinic --group=clinic {folder}\n"
    assert re.search(made, (ROOT / "deploy/Dockerfile").read_text())
