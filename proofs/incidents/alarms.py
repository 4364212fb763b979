"""The alarms by the real programs: Prometheus with our rules, Alertmanager, a webhook that notes what arrives."""

from __future__ import annotations

import json
import re
import shutil
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import requests

from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from proofs.harness.process import Program

DEPLOY = ROOT / "deploy"
SCRAPE_SECONDS = 2.0
PROMETHEUS = shutil.which("prometheus")
ALERTMANAGER = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")


class Alarms:
    """Both programs with the configuration of `deploy`, but for ports and intervals, which are shorter here."""

    def __init__(self, metrics_port: int, folder: Path, cleanup: ExitStack) -> None:
        """Start what is installed; `cleanup` ends it."""
        self.missing = [
            f"{name} (Debian: apt install {package})"
            for name, program, package in (
                ("Prometheus", PROMETHEUS, "prometheus"),
                ("Alertmanager", ALERTMANAGER, "prometheus-alertmanager"),
            )
            if program is None
        ]
        self.delivers = not self.missing
        self.told: dict[str, str] = {}  # what the webhook heard last of each alarm: firing, or resolved
        self._folder, self._cleanup = folder, cleanup
        self._port, self._alertmanager_port, self._metrics_port = free_port(), free_port(), metrics_port
        if PROMETHEUS:
            self._start_prometheus(PROMETHEUS)
        if ALERTMANAGER and self.delivers:
            self._start_alertmanager(ALERTMANAGER, self._receive())

    def states(self) -> dict[str, str] | None:
        """The alarms whose condition holds: pending, or firing. None: no answer; {}: also without Prometheus."""
        if not PROMETHEUS:
            return {}
        found = self._get("alerts")
        if found is None:
            return None
        return {alert["labels"]["alertname"]: alert["state"] for alert in found["alerts"]}

    def query(self, expression: str) -> list[Any]:
        """The series that Prometheus has for an expression."""
        return list((self._get(f"query?{urlencode({'query': expression})}") or {"result": []})["result"])

    def _get(self, path: str) -> dict[str, Any] | None:
        try:
            answer = requests.get(f"http://127.0.0.1:{self._port}/api/v1/{path}", timeout=15)
            return dict(answer.json()["data"])
        except (requests.RequestException, ValueError, KeyError):
            return None

    def _start_prometheus(self, program: str) -> None:
        folder = self._folder / "prometheus"
        folder.mkdir()
        shutil.copy(DEPLOY / "alerts.yml", folder)
        text = (DEPLOY / "prometheus.yml").read_text()
        for port, here in ((9100, self._metrics_port), (9093, self._alertmanager_port)):
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{here}")
        (folder / "prometheus.yml").write_text(re.sub(r"interval: \d+s", f"interval: {SCRAPE_SECONDS:g}s", text))
        words = [
            program,
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{self._port}",
        ]
        self._run("prometheus", words)

    def _start_alertmanager(self, program: str, webhook: str) -> None:
        folder = self._folder / "alertmanager"
        folder.mkdir()
        text = re.sub(r"url: http\S+", f"url: {webhook}", (DEPLOY / "alertmanager.yml").read_text())
        (folder / "alertmanager.yml").write_text(re.sub(r"(group_(?:wait|interval)): \S+", r"\1: 1s", text))
        words = [
            program,
            f"--config.file={folder}/alertmanager.yml",
            f"--storage.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{self._alertmanager_port}",
            "--cluster.listen-address=",
        ]
        self._run("alertmanager", words)

    def _run(self, name: str, words: list[str]) -> None:
        self._cleanup.callback(Program(name, words, {}, self._folder / f"{name}.log").stop)

    def _receive(self) -> str:
        """Start the webhook; returns its address."""
        told = self.told

        class Webhook(BaseHTTPRequestHandler):
            """Notes each alarm of a message, and its state."""

            def do_POST(self) -> None:
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                told.update({alert["labels"]["alertname"]: alert["status"] for alert in message["alerts"]})
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Stay silent."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._cleanup.callback(server.server_close)
        self._cleanup.callback(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"
