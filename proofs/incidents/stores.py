"""The stores' incidents: the disk is full, PostgreSQL is gone, Valkey is gone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from dev.servers.postgres import EmbeddedPostgres
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import NotHere, require
from proofs.harness.servers import prepare
from proofs.incidents.incident import incident
from proofs.incidents.scene import Scene

DISK_MEGABYTES = 512
UNAVAILABLE = 503


@incident("disk", "PostgreSQL's disk is full: no enquiry can be stored, and room alone ends it", short=False)
def disk(env: DrillEnvironment) -> None:
    """A disk of its own, filled by a file; nothing is restarted."""
    if os.geteuid() != 0:
        raise NotHere("mounting a small disk needs root")
    place = env.folder / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", place], check=True)
    env.cleanup.callback(lambda: subprocess.run(["umount", "--lazy", place], check=False))
    place.chmod(0o755)
    server = EmbeddedPostgres(place / "postgres")
    server.start()
    env.cleanup.callback(server.stop)
    url = server.create_database("incident")
    prepare(url)
    env.use_database(url, url)
    scene = Scene(env)
    ballast = _fill(place)
    answers = env.post(scene.site, env.people(3))
    require(any(answer.status == UNAVAILABLE for answer in answers), "a full disk refuses no enquiry")
    scene.see(r"Database:?\s+NO ENQUIRY CAN BE STORED \((DiskFull|OperationalError)\)", "EnquiriesRefused")
    scene.ring("EnquiriesRefused")
    ballast.unlink()
    env.figure("enquiries stored again after", env.wait(lambda: _is_ready(scene), 60, "room to help"), "s")


@incident("postgres", "PostgreSQL is gone: said in red at once, and well again when it is started", short=False)
def postgres(env: DrillEnvironment) -> None:
    """Stopped, and started."""
    scene = Scene(env)
    env.servers.postgres.stop()
    scene.see("PostgreSQL does not answer", "DatabaseGone")
    scene.ring("DatabaseGone")
    env.servers.postgres.start()
    env.figure("well again after", scene.wait_well(), "s")
    scene.end("DatabaseGone")


@incident("valkey", "Valkey is gone: said at once, leads still arrive, and well again when it is started")
def valkey(env: DrillEnvironment) -> None:
    """Stopped, and started empty."""
    scene = Scene(env)
    env.servers.valkey.stop()
    env.post(scene.site, env.people(1))
    scene.see(r"Redis:?\s+DOES NOT ANSWER", "RedisGone")
    env.figure("the lead in the CRM after", env.wait_delivered(60), "s")
    env.servers.valkey.start()
    env.post(scene.site, env.people(1))
    env.figure("well again after", scene.wait_well(), "s")
    env.wait_delivered(60)


def _fill(place: Path) -> Path:
    ballast = place / "ballast"
    with ballast.open("wb") as file:
        size = os.statvfs(place)
        for step in (2**20, 2**12):
            try:
                while os.statvfs(place).f_bavail * size.f_frsize >= step:
                    file.write(b"\0" * step)
                    file.flush()
            except OSError:
                continue
    return ballast


def _is_ready(scene: Scene) -> bool:
    return scene.site.get("/readyz").status != UNAVAILABLE
