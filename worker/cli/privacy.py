"""One person's data by command: `erase` and `erasures`, here and in the CRM, and `export`."""

import json
import re

import click

from leads.privacy.erasure import Found, Person, erase_again, erase_person, find_person, hashes_of, list_erasures
from leads.privacy.export import export_person
from leads.settings import read_settings
from worker.cli.database import by_option, json_option, limit_option, on_database, plain_errors
from worker.cli.terminal import say, show

_email_option = click.option("--email", help="The person's e-mail address, in any case.")
_phone_option = click.option("--phone", help="The person's phone number with country code: +44 7911 123456.")


@click.command(short_help="Erase a person, here and in the CRM.")
@_email_option
@_phone_option
@click.option("--dry-run", is_flag=True, help="Report what would be erased; change nothing.")
@by_option
def erase(*, email: str | None, phone: str | None, dry_run: bool, by: str) -> None:
    """Erase a person: their leads and clicks here, and their records in the CRM.

    Finds leads by e-mail or phone number (give both if you know both), and the WhatsApp clicks of the same
    browser sessions. They are deleted here at once and are never sent again. Workers then delete the copies in
    the CRM, and watch for records that a call in flight may still create: see `erasures`. If it is interrupted,
    run it again.
    """
    person = _person_of(email, phone)
    if dry_run:
        found = on_database(lambda engine: find_person(engine, person))
        click.echo(f"Would erase {_describe(found)}.")
        return
    with plain_errors():
        key = read_settings().erasure_key
    found = on_database(lambda engine: erase_person(engine, person, by=by, key=key))
    say(f"Erased {_describe(found)}." if found else "No data about this person is stored here (any more).")
    say("The workers delete the copies in the CRM within seconds. `erasures` shows when the erasure is complete.")
    if not key:
        say("ERASURE_KEY is not set: the register does not identify the person.")


@click.command(short_help="List erasures, and their progress in the CRM.")
@_email_option
@_phone_option
@limit_option
@click.option("--reapply", is_flag=True, help="After a restore: erase again what the backup brought back.")
@json_option
def erasures(*, email: str | None, phone: str | None, limit: int, reapply: bool, as_json: bool) -> None:
    """List erasures, the newest first: when, by whom, how much, and the progress in the CRM.

    With --email or --phone: whether this person was erased. An erasure is complete when nothing of it is open: no
    record is left, and no call in flight can create one.
    """
    if reapply:
        click.echo(f"Erased again: {_describe(on_database(erase_again))}.")
        return
    hashes = None
    if email or phone:
        with plain_errors():
            key = read_settings().erasure_key
        if not key:
            raise click.ClickException("ERASURE_KEY is not set; without it no person can be found in the register.")
        hashes = hashes_of(_person_of(email, phone), key)
    rows = on_database(lambda engine: list_erasures(engine, limit=limit, hashes=hashes))
    columns = ["at", "by", "leads", "clicks", "records_deleted", "open", "watched_until", "last_error"]
    show(rows, columns, as_json=as_json, empty="No erasures." if hashes is None else "No erasure of that person.")


def _person_of(email: str | None, phone: str | None) -> Person:
    """The person given by the options; a usage error when neither option is valid."""
    plain = re.sub(r"[\s().-]", "", phone) if phone else None
    try:
        return Person(email.strip() if email else None, plain)
    except ValueError as error:
        raise click.UsageError(f"--email, --phone: {error}") from error


def _describe(found: Found) -> str:
    leads, clicks = len(found.leads), len(found.clicks)
    return f"{leads} {'lead' if leads == 1 else 'leads'} and {clicks} {'click' if clicks == 1 else 'clicks'}"


@click.command(short_help="Export everything stored about a person.")
@_email_option
@_phone_option
def export(*, email: str | None, phone: str | None) -> None:
    """Export everything stored here about a person, as JSON, for their right of access.

    Finds leads by e-mail or phone number, and the WhatsApp clicks of the same browser sessions, as `erase` does.
    Records in the CRM are listed by their ids. Without ERASURE_KEY the erasures are null: not known.
    """
    person = _person_of(email, phone)
    exported = on_database(lambda engine: export_person(engine, person, key=read_settings().erasure_key))
    click.echo(json.dumps(exported, default=str, indent=2, ensure_ascii=False))
