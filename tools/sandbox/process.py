"""The sandbox as a process of its own, for tests: start, query, stop, kill."""

import json
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

ROOT: Final = Path(__file__).resolve().parents[2]


class SandboxProcess:
    """A running sandbox. Use it as a context manager, or call `stop` (SIGTERM) or `kill` (SIGKILL)."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url
        self._open = build_opener(ProxyHandler({})).open

    @classmethod
    def start(
        cls,
        data_dir: Path,
        port: int = 0,
        *,
        without_fields: Collection[str] = (),
        mail_port: int = 0,
        more: Collection[str] = (),
    ) -> Self:
        """Start one and wait until it listens; `RuntimeError` with its output if not. Port 0: any free one."""
        command = [sys.executable, "-m", "tools.sandbox", "--port", str(port), "--data", str(data_dir)]
        command += ["--mail-port", str(mail_port), *more]
        for name in without_fields:
            command += ["--without-field", name]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        first = process.stdout.readline() if process.stdout else ""
        if " on http" not in first:
            process.kill()
            raise RuntimeError(f"the sandbox did not start: {first!r}, exit code {process.wait()}")
        return cls(process, first.rsplit(" ", 1)[1].strip())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """Return the port, so that a restart can use the same one."""
        return int(self.url.rsplit(":", 1)[1])

    def stop(self) -> int:
        """Stop it cleanly; return its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self._wait()

    def kill(self) -> int:
        """End it with SIGKILL; return its exit code."""
        self.process.kill()
        return self._wait()

    def _wait(self) -> int:
        code = self.process.wait(timeout=10)
        if self.process.stdout:
            self.process.stdout.close()
        return code

    def records(self, *, limit: int = 1_000_000, offset: int = 0, **fields: str) -> list[dict[str, Any]]:
        """Return the live leads, newest first, filtered by field values."""
        found = self._get("records", limit=limit, offset=offset, **fields)["records"]
        return list(found)

    def act(self, action: str, record_id: str, **wanted: Any) -> None:
        """Do to a lead what sales staff can do in Zoho's pages; see `tools.sandbox.staff`."""
        self._send("POST", f"records/{record_id}/{action}", wanted)

    def calls(self, *, limit: int = 1_000_000, offset: int = 0, **filters: str) -> list[dict[str, Any]]:
        """Return the calls, oldest first; filters: kind (api, oauth), method, path, status, code, fault."""
        return list(self._get("calls", limit=limit, offset=offset, **filters)["calls"])

    def mails(self) -> list[dict[str, Any]]:
        """Return the mailbox, newest first; `received` counts deliveries of the same message."""
        return list(self._get("mails", limit=1_000_000)["mails"])

    def summary(self) -> dict[str, Any]:
        """Return the totals."""
        return self._get("summary")

    def faults(self, **switches: Any) -> dict[str, Any]:
        """Change the named switches (false: off); return the state. See `sandbox.faults`."""
        return self._send("PATCH", "faults", switches)

    def only_faults(self, **switches: Any) -> dict[str, Any]:
        """Replace all switches and limits; without arguments: everything off."""
        return self._send("PUT", "faults", switches)

    def reset(self) -> None:
        """Forget everything."""
        self._send("POST", "reset", {})

    def _get(self, path: str, /, **params: Any) -> dict[str, Any]:
        return self._read(Request(f"{self.url}/_sandbox/{path}?{urlencode(params)}"))  # noqa: S310 - http only

    def _send(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        url = f"{self.url}/_sandbox/{path}"
        return self._read(Request(url, json.dumps(body).encode(), method=method))  # noqa: S310 - http only

    def _read(self, request: Request) -> dict[str, Any]:
        with self._open(request, timeout=30) as reply:
            answer: dict[str, Any] = json.load(reply)
        return answer
