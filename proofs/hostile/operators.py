"""What strangers do to operators: fill a list, steer a terminal, read the metrics."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from proofs.harness.case import require
from proofs.harness.product import environment
from proofs.hostile.case import case
from proofs.hostile.target import Target

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
HOSTILE = "\x9b2J\x1b]0;owned\x07\u202eevil"


@case("operators.terminal", "no command prints what steers a terminal, whatever strangers sent")
def terminal(target: Target) -> str:
    """Control characters in every field of an enquiry, and as what is looked for."""
    fields = ("name", "surname", "message", "utmSource", "userAgent", "referrer", "language", "timezone")
    body = json.loads(target.lead()) | dict.fromkeys(fields, f"x{HOSTILE}")
    body["firstTouch"] = {"utm_source": HOSTILE, HOSTILE: HOSTILE}
    answer = target.ask(target.post(json.dumps(body).encode()))
    require(answer[9:12] == b"201", f"the enquiry was answered {answer[:40]!r}")
    # And past the API, as an older version may have stored it.
    target.rows("UPDATE leads SET message = %s WHERE email = %s RETURNING id", HOSTILE, body["email"])
    words = (["export", "--email"], ["show"], ["show", "--json"])
    printed = [_operate(target, *each, body["email"]) for each in words]
    printed += [_operate(target, "waiting"), _operate(target, "show", HOSTILE), _operate(target, HOSTILE)]
    found = {hex(ord(character)) for text in printed for character in CONTROLS.findall(text)}
    require(not found, f"they printed {sorted(found)}")
    require("\\u009b2J" in printed[0], "the export does not have what was stored")
    return f"{len(printed)} commands"


@case(
    "operators.metrics",
    "a page that an operator opens cannot read the metrics by a name that leads to this machine",
)
def metrics(target: Target) -> str:
    """DNS rebinding: the browser sends the page's own name as the host."""
    port = free_port()
    target.site({"METRICS_PORT": str(port)})
    served, refused = (
        [
            target.ask(b"GET /metrics HTTP/1.1\r\nHost: " + name + b"\r\nConnection: close\r\n\r\n", port=port)
            for name in names
        ]
        for names in ((b"localhost", b"127.0.0.1:9100"), (b"evil.example", b"127.0.0.1.nip.example:9100"))
    )
    require(all(b"clinic_" in answer for answer in served), "their own names were refused")
    require(not any(b"clinic_" in answer for answer in refused), f"another name was answered: {refused[0][:40]!r}")
    return f"{len(refused)} names refused"


def _operate(target: Target, *words: str) -> str:
    """What an operator's command prints, to both ends."""
    done = subprocess.run(
        [sys.executable, "-m", "worker", *words],
        cwd=ROOT,
        env=environment(target.main.process.environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr if done.returncode else done.stdout
