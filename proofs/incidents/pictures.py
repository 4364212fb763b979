"""No incident: Flower's page in five states, photographed for docs/operating.md in a window that stays open."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from io import BytesIO

from PIL import Image

from dev.servers.server_process import ROOT
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import NotHere, require
from proofs.incidents.incident import incident
from proofs.incidents.scene import LOGIN, Scene

FOLDER = ROOT / "docs/pictures"
QUALITY = 70
MAX_BYTES = 60_000


class Window:
    """A browser on Flower's page."""

    def __init__(self, scene: Scene) -> None:
        """Open it; `NotHere` where it cannot be."""
        node = shutil.which("node") or str(ROOT / ".venv/node/node")
        if not (ROOT / "frontend/node_modules/@playwright").exists():
            raise NotHere("the browser is not installed (make setup)")
        self._file = scene.env.folder / "window.png"
        self._process = subprocess.Popen(
            [node, "frontend/scripts/window.mjs", f"http://127.0.0.1:{scene.flower_port}/outbox?over=1"],
            cwd=ROOT,
            env=os.environ | {"WINDOW_LOGIN": LOGIN},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        scene.env.cleanup.callback(self._process.kill)
        self._expect("open")

    def picture(self, name: str, words: str) -> None:
        """Wait until the page says the words (a pattern), and keep a picture."""
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps({"words": words, "file": str(self._file)}) + "\n")
            self._process.stdin.flush()
        self._expect("taken")
        written = BytesIO()
        Image.open(self._file).save(written, "WEBP", quality=QUALITY, method=6)
        require(written.tell() <= MAX_BYTES, f"{name} has {written.tell()} bytes")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.webp").write_bytes(written.getvalue())

    def _expect(self, answer: str) -> None:
        said = self._process.stdout.readline().strip() if self._process.stdout else ""
        require(said == answer, f"the window says {said!r}")


@incident("pictures", "Flower's page in five states, into docs/pictures", short=False)
def pictures(env: DrillEnvironment) -> None:
    """Leads arrive; the CRM does not answer; it refuses the token; it refuses two rows; PostgreSQL is stopped."""
    scene = Scene(env)
    window = Window(scene)
    for _ in range(20):
        env.post(scene.site, env.people(2))
        env.pause(0.5)
    env.wait_delivered(60)
    window.picture("calm", "Calls to the CRM flow")

    env.sandbox.faults(outage=True)
    for _ in range(12):
        env.post(scene.site, env.people(2))
        env.pause(1.0)
    window.picture("outage", r"SHUT \(outage")
    env.sandbox.only_faults()
    scene.follow("The queue grows", ("resume",))
    env.wait_delivered(60)

    env.sandbox.faults(token_refused=True)
    env.change("UPDATE crm_token SET value = NULL, next_mint_at = now(), minted_at = now() - interval '5 min'")
    env.workers[0].stop()  # a worker remembers the last token
    env.ready_worker()
    env.post(scene.site, env.people(4))
    window.picture("token-refused", "Token: REFUSED")
    env.sandbox.only_faults()
    env.change("UPDATE crm_token SET next_mint_at = now()")
    scene.follow("The token is refused", ("resume",))
    scene.wait_well()

    env.sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    env.post(scene.site, [*env.people(2, "Poison"), *env.people(3)])
    window.picture("dead-rows", r"Dead: rows are given up \(2 to zoho\)")
    env.sandbox.only_faults()
    scene.follow("Rows are dead", ("redrive", "--code", "INVALID_DATA"))
    scene.wait_well()

    env.servers.postgres.stop()
    window.picture("no-database", "PostgreSQL does not answer")
    env.servers.postgres.start()
    scene.wait_well()
