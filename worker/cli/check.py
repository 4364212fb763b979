"""`check`: whether the CRM and the mail server are ready, and what is missing."""

from contextlib import closing, suppress
from dataclasses import asdict
from smtplib import SMTPSenderRefused

import click
from sqlalchemy import Engine

from leads.crm_state import record_field_check
from leads.settings import Settings, read_settings
from worker.cli.database import json_option, on_database, plain_errors
from worker.cli.terminal import show
from worker.connect import check_crm, connect_crm, crm_problems
from worker.crm.fields import fields_of, needed_fields
from worker.crm.port import CallFailed, Finding, Level
from worker.destinations.mail import MAIL_ERRORS, code_of, probe_mail


@click.command(short_help="Check that the CRM and the mail server are ready.")
@click.option("--create", is_flag=True, help="Create the custom fields that are missing.")
@json_option
def check(*, create: bool, as_json: bool) -> None:
    """Check the CRM (credentials, token, scopes, every field that the mapping uses) and the mail server.

    Names for each missing field what the CRM drops. Calls the CRM even while `pause` stops all other calls. Exit
    code 0: leads can be delivered and acknowledged; 1: something stands in the way.
    """
    with plain_errors():
        settings = read_settings(check=crm_problems)
        found = on_database(lambda engine: _check_crm(settings, engine, create=create))
        findings = (*found, *_check_mail(settings))
    ok = all(finding.level is not Level.PROBLEM for finding in findings)
    rows = [asdict(finding) for finding in findings]
    show(rows, ["level", "subject", "text"], as_json=as_json, empty="Nothing was checked.")
    if not as_json:
        click.echo("\nReady: leads can be delivered." if ok else "\nNot ready: see the problems above.")
    if not ok:
        raise SystemExit(1)


def _check_crm(settings: Settings, engine: Engine, *, create: bool) -> list[Finding]:
    """Calls also while they are paused, as it must be able to show why."""
    fields = needed_fields(fields_of(settings))
    with closing(connect_crm(settings, engine)) as crm:
        findings = check_crm(crm, fields, create=create)
        with suppress(CallFailed):  # which is a finding
            record_field_check(engine, crm.unfit_fields(fields))
    return findings


def _check_mail(settings: Settings) -> list[Finding]:
    if not settings.mail_from:
        return [Finding("mail", Level.NOTE, "MAIL_FROM is not set: no acknowledgements are sent")]
    if not settings.smtp_url:
        return [Finding("mail", Level.PROBLEM, "SMTP_URL is not set: no mail can be sent")]
    try:
        words, refused = probe_mail(settings)
    except MAIL_ERRORS as error:
        why = f"{code_of(error)}{', sender refused' if isinstance(error, SMTPSenderRefused) else ''}"
        return [Finding("mail", Level.PROBLEM, f"the mail server cannot be used: {why}")]
    told = [
        Finding("staff", Level.PROBLEM, f"the mail server refuses {address} (SMTP_{code}): correct STAFF_MAIL_TO")
        for address, code in refused.items()
    ]
    return [Finding("mail", Level.OK, words), *told]
