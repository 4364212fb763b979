"""Property 44: staff are told of each lead once and within seconds, whether the CRM answers or not."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dev.servers.state_files import free_port
from leads.destinations import PATIENCE_SECONDS
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import percentile
from proofs.harness.case import require
from proofs.harness.site import Site
from sandbox.process import SandboxProcess

STAFF = "sales@clinic.example"
STORED = "SELECT reference, created_at FROM leads WHERE id = ANY(%s::uuid[])"


@drill("44", "Staff are told of each lead by mail, once: within seconds, or in a minute while the CRM is away")
def notices(env: DrillEnvironment) -> None:
    """Leads come one by one, first with the CRM up, then with it down; a mail server of its own keeps the mail."""
    leads = 5 if env.short else 30
    port = free_port()
    mailbox = SandboxProcess.start(env.folder / "mail", mail_port=port)
    env.cleanup.callback(mailbox.stop)
    env.variables |= {
        "SMTP_URL": f"smtp://127.0.0.1:{port}",
        "MAIL_FROM": "enquiries@clinic.example",
        "STAFF_MAIL_TO": STAFF,
    }
    env.reread_settings()
    site = env.site()
    env.ready_worker()
    look = env.settings.look_seconds
    for crm, allowed in (("up", 2 * look), ("down", PATIENCE_SECONDS + 2 * look)):
        env.sandbox.faults(outage=crm == "down")
        seconds = _told(env, site, mailbox, leads)
        env.figure(f"CRM {crm}: median", percentile(seconds, 0.5), "s")
        env.figure(f"CRM {crm}: slowest", seconds[-1], "s")
        env.within(seconds[-1], allowed, f"CRM {crm}: the last of the staff's mail came")
    env.sandbox.only_faults()
    env.wait_delivered(300)
    require(len(_mail(mailbox)) == 2 * leads, f"{len(_mail(mailbox))} notices were sent of {2 * leads} leads")
    env.note(f"{leads} leads with the CRM up, {leads} with it down; from stored to the staff's mailbox")


def _told(env: DrillEnvironment, site: Site, mailbox: SandboxProcess, leads: int) -> list[float]:
    """Post leads a second apart; returns the seconds from stored to the staff's mailbox, in order."""
    before = set(env.accepted)
    for person in env.people(leads):
        env.post(site, [person])
        env.pause(0.2 if env.short else 1)
    new = list(env.accepted.keys() - before)
    require(len(new) == leads, f"{leads - len(new)} posts were refused")
    stored = {row["reference"]: row["created_at"] for row in env.rows(STORED, new)}
    env.wait(lambda: stored.keys() <= _mail(mailbox).keys(), PATIENCE_SECONDS + 60, "mail of every lead", every=0.2)
    came = _mail(mailbox)
    require(all(came[reference]["received"] == 1 for reference in stored), "a notice was sent twice")
    return sorted((datetime.fromisoformat(came[ref]["at"]) - at).total_seconds() for ref, at in stored.items())


def _mail(mailbox: SandboxProcess) -> dict[str, Any]:
    """The staff's mail by the reference in its subject."""
    return {_reference(mail["subject"]): mail for mail in mailbox.mails() if mail["recipient"] == STAFF}


def _reference(subject: str) -> str:
    return next(word for word in subject.split() if word.isdigit())
