"""A product and its operators' windows: Flower, the command line, the alarms."""

from __future__ import annotations

import base64
import http.client
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from proofs.drills.environment import DrillEnvironment
from proofs.drills.operations import command
from proofs.harness.case import Broken, require
from proofs.harness.process import Program
from proofs.harness.product import procfile
from proofs.incidents.alarms import PROMETHEUS, Alarms

LOGIN = "operator:a long one"
RUNBOOK = ROOT / "docs/runbook.md"
# Wanted: the cause within so many seconds. An alarm may take its own `for` after that.
FLOWER_SECONDS, STATUS_SECONDS = 15.0, 15.0
SEE_SECONDS, WELL_SECONDS = 120.0, 180.0


class Scene:
    """One incident's product, and what its operators see and type."""

    def __init__(self, env: DrillEnvironment) -> None:
        """Start the site with its metrics, a worker, Flower and Prometheus."""
        self.env = env
        metrics_port, self.flower_port = free_port(), free_port()
        self.site = env.site(METRICS_PORT=str(metrics_port), METRICS_HOST="127.0.0.1")
        env.ready_worker()
        variables = {**env.variables, "FLOWER_PORT": str(self.flower_port), "FLOWER_BASIC_AUTH": LOGIN}
        self.flower = Program("flower", ["sh", "-c", procfile("flower")], variables, env.folder / "flower.log")
        env.cleanup.callback(self.flower.stop)
        self.alarms = Alarms(metrics_port, env.folder, env.cleanup)
        if self.alarms.missing:
            env.note(f"without {' and '.join(self.alarms.missing)}")
        env.wait(lambda: self._flower() is not None, 60, "Flower to answer")
        # A rate sees only what rises after the first scrape.
        query = self.alarms.query
        env.wait(lambda: not PROMETHEUS or bool(query("clinic_database_up")), 60, "Prometheus to scrape")
        self.wait_well()

    # What operators see ----------------------------------------------------------------------------------------

    def see(self, words: str, alarm: str = "") -> None:
        """Wait until the cause stands in all windows; note the seconds that each took from now.

        Args:
            words: a pattern of what Flower's page and `status` say.
            alarm: the alarm's name, if one comes soon; it counts from when its condition holds, and rings after its
                own `for`.
        """
        cause = re.compile(words)
        windows: dict[str, tuple[Callable[[], bool], float]] = {
            "Flower": (lambda: bool(cause.search(self._flower() or "")), FLOWER_SECONDS),
            "status": (lambda: bool(cause.search(self._status())), STATUS_SECONDS),
        }
        if alarm and PROMETHEUS:
            windows[f"{alarm}, {self._patience(alarm)} before it rings:"] = (
                lambda: alarm in (self.alarms.states() or {}),
                SEE_SECONDS,
            )
        began = time.monotonic()

        def seconds_of(sees: Callable[[], bool]) -> float | None:
            while not sees():
                if time.monotonic() - began > SEE_SECONDS:
                    return None
                self.env.pause(0.2)
            return time.monotonic() - began

        with ThreadPoolExecutor(len(windows)) as pool:
            found = dict(
                zip(windows, pool.map(lambda window: seconds_of(window[0]), windows.values()), strict=True)
            )
        for name, seconds in found.items():
            if seconds is None:
                raise Broken(f"{name} does not say {words} within {SEE_SECONDS:g} s")
            self.env.figure(name, seconds, "s")
            require(seconds <= windows[name][1], f"{name} says it after {seconds:.0f} s")

    def _patience(self, alarm: str) -> str:
        """The alarm's own `for`."""
        rule = (ROOT / "deploy/alerts.yml").read_text().partition(f"alert: {alarm}\n")[2].partition("- alert:")[0]
        found = re.search(r"\n\s+for: (\w+)", rule)
        return found[1] if found else "0s"

    def ring(self, alarm: str) -> None:
        """Wait until an alarm rings whose own `for` is short, and until Alertmanager has delivered it."""
        if not PROMETHEUS:
            return
        seconds = self.env.wait(
            lambda: (self.alarms.states() or {}).get(alarm) == "firing", SEE_SECONDS, f"{alarm} to ring"
        )
        self.env.figure(f"{alarm} rang after", seconds, "s more")
        if self.alarms.delivers:
            self.env.figure("and was delivered after", self._told(alarm, "firing"), "s more")

    def end(self, alarm: str) -> None:
        """Wait until Alertmanager has delivered that it has ended."""
        if self.alarms.delivers:
            self.env.figure("its end was delivered after", self._told(alarm, "resolved"), "s more")

    def _told(self, alarm: str, state: str) -> float:
        return self.env.wait(lambda: self.alarms.told.get(alarm) == state, SEE_SECONDS, f"{alarm}: {state}")

    def wait_well(self) -> float:
        """Wait until all three windows say that all is well; returns the seconds."""
        return self.env.wait(self._is_well, WELL_SECONDS, "all to be well", every=0.5)

    def _is_well(self) -> bool:
        is_green = 'class="outbox-verdict outbox-good"' in (self._flower() or "")
        return is_green and "All is well" in self._status() and self.alarms.states() == {}

    def _flower(self) -> str | None:
        """The page, or the sentence in place of it; None: no answer."""
        login = base64.b64encode(LOGIN.encode()).decode()
        answer = _get(self.flower_port, "/outbox?part=yes&state=all", {"Authorization": f"Basic {login}"})
        return None if answer is None else re.sub(r"<(?!div class=\"outbox-verdict)[^>]*>", "", answer)

    def _status(self) -> str:
        done = self._command("status")
        return done.stdout + done.stderr

    # What operators do -----------------------------------------------------------------------------------------

    def follow(self, section: str, *commands: Sequence[str]) -> list[str]:
        """Type commands of the runbook's section, as they stand there; returns what they say."""
        text = RUNBOOK.read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
        require(text, f"the runbook has no section {section}")
        said = []
        for words in commands:
            typed = " ".join(words)
            require(
                f"`{typed}" in text or f" {typed}`" in text, f"`{typed}` is not in the runbook's section {section}"
            )
            done = self._command(*words)
            said.append(done.stdout + done.stderr)
        return said

    def _command(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.env.variables, "PATH": "/usr/bin:/bin", "COLUMNS": "300"}
        return subprocess.run(
            command(*words), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
        )


def _get(port: int, path: str, headers: dict[str, str]) -> str | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().read().decode()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
