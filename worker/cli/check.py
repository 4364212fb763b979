"""`check`: are the CRM and the mail server ready? What is needed of each, and what is missing."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from leads.settings import SettingsError, read_settings
from worker.cli.database import told_plainly
from worker.cli.terminal import show
from worker.context import MODULE, make_crm, zoho_config
from worker.delivery.mapping import custom_fields
from worker.jobs.smtp import MailServerAway, probe_mail
from worker.zoho.check import CheckReport, Finding, Mark
from worker.zoho.check import check as check_crm

if TYPE_CHECKING:
    from leads.settings import Settings


@click.command(short_help="Is the CRM ready for us, and the mail server?")
@click.option("--create", is_flag=True, help="Create the custom fields that are missing.")
@click.option("--json", "as_json", is_flag=True, help="JSON for scripts instead of a table.")
def check(*, create: bool, as_json: bool) -> None:
    """Is the CRM ready: credentials, token, scopes, and every field that the mapping uses? And the mail server?

    Exit code 0 when leads can be delivered and acknowledged, 1 when something is missing.
    """
    try:
        settings = read_settings()
        config = zoho_config(settings)
        crm = make_crm(settings)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    with closing(crm), told_plainly():
        report = check_crm(crm.client, config, custom_fields(crm.mapping), module=MODULE, create=create)
    report = CheckReport((*report.findings, _look_at_mail(settings)))
    findings = [asdict(finding) for finding in report.findings]
    if as_json:
        click.echo(json.dumps({"ok": report.ok, "findings": findings}, indent=2))
    else:
        show(findings, ["mark", "subject", "text"], as_json=False, empty="Nothing was looked at.")
        click.echo("\nReady: leads can be delivered." if report.ok else "\nNot ready: see the problems above.")
    if not report.ok:
        raise SystemExit(1)


def _look_at_mail(settings: Settings) -> Finding:
    if not settings.smtp_url:
        return Finding("mail", Mark.NOTE, "SMTP_URL is not set: nobody gets an acknowledgement")
    try:
        found = probe_mail(settings)
    except MailServerAway as error:
        return Finding("mail", Mark.PROBLEM, f"the mail server cannot be used: {error}")
    return Finding("mail", Mark.OK, found)
