"""`erase` and `erasures`: everything about one person goes, here and in the CRM, and the list of what was done."""

from __future__ import annotations

import json
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from leads.privacy.erasure import Person, erase_person, find_person, hashes_of, list_erasures
from leads.settings import SettingsError, read_settings
from worker.cli.database import by_option, json_option, on_database, plain_errors
from worker.cli.terminal import show
from worker.context import make_context
from worker.jobs.erasure import ErasureProgress, process_erasures

if TYPE_CHECKING:
    from collections.abc import Callable

    from leads.privacy.erasure import Found

email_option = click.option("--email", help="Their e-mail address, in any case.")
phone_option = click.option("--phone", help="Their phone number with country code: +44 7911 123456.")


@click.command(short_help="Erase a person, here and in the CRM.")
@email_option
@phone_option
@click.option("--dry-run", is_flag=True, help="Say how much would be erased; change nothing.")
@by_option
@json_option
def erase(*, email: str | None, phone: str | None, dry_run: bool, by: str, as_json: bool) -> None:
    """Erase a person: their leads and clicks here, and their records in the CRM.

    Finds leads by e-mail or phone number (give both when you know both), and the WhatsApp clicks of the same
    browser sessions. They are gone here at once and are never sent again. Workers then delete the copies in the
    CRM, and watch for what a call in flight may still store: see `erasures`. Interrupted? Run it again.
    """
    person = person_of(email, phone)
    if dry_run:
        found = on_database(lambda engine: find_person(engine, person))
        _tell({"dry_run": True, **_counts(found)}, f"Would erase {_words(found)}.", as_json=as_json)
        return
    key = _read(lambda: read_settings().erasure_key)
    found = on_database(lambda engine: erase_person(engine, person, by=by, key=key))
    worked = _work_off()
    result = {**_counts(found), "crm_deleted": worked.deleted, "crm_stopped": worked.stopped, "named": bool(key)}
    text = f"Erased {_words(found)}." if found else "Nobody like that is here (any more)."
    text += f"\nCRM: {worked.deleted} deleted now"
    text += f"; stopped: {worked.stopped}. Workers go on by themselves." if worked.stopped else "."
    text += " `erasures` shows when the last look is done."
    _tell(result, text if key else f"{text}\nERASURE_KEY is not set: the record names nobody.", as_json=as_json)


@click.command()
@email_option
@phone_option
@click.option("--most", default=50, show_default=True, help="Newest erasures, at most.")
@json_option
def erasures(*, email: str | None, phone: str | None, most: int, as_json: bool) -> None:
    """Erasures: when, by whom, how much, and how far the CRM is. With --email or --phone: was this person erased?

    An erasure is done when nothing of it is open: no record is left and no call in flight can make one.
    """
    hashes = None
    if email or phone:
        key = _read(lambda: read_settings().erasure_key)
        if not key:
            raise click.ClickException("ERASURE_KEY is not set; without it nobody can be found in the list.")
        hashes = hashes_of(person_of(email, phone), key)
    rows = on_database(lambda engine: list_erasures(engine, limit=most, hashes=hashes))
    columns = ["id", "at", "by", "leads", "clicks", "records_deleted", "open", "watched_until", "last_error"]
    show(rows, columns, as_json=as_json, empty="No erasures." if hashes is None else "No erasure of that person.")


def person_of(email: str | None, phone: str | None) -> Person:
    """The person that the options name; a usage error when they name nobody."""
    plain = re.sub(r"[\s().-]", "", phone) if phone else None
    try:
        return Person(email.strip() if email else None, plain)
    except ValueError as error:
        raise click.UsageError(f"--email, --phone: {error}") from error


def _work_off() -> ErasureProgress:
    """What can be done in the CRM right now; the rest is the workers'."""
    try:
        context = make_context(read_settings())
    except SettingsError:
        return ErasureProgress(stopped="the CRM is not set up here")
    with closing(context), plain_errors():
        return process_erasures(context.engine, context.access, go_on=lambda: True)


def _read(setting: Callable[[], str]) -> str:
    try:
        return setting()
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


def _counts(found: Found) -> dict[str, Any]:
    return {"leads": len(found.leads), "clicks": len(found.clicks), "complaints": found.complaints}


def _words(found: Found) -> str:
    leads, clicks = len(found.leads), len(found.clicks)
    words = f"{leads} {'lead' if leads == 1 else 'leads'} and {clicks} {'click' if clicks == 1 else 'clicks'}"
    return f"{words}, and {found.complaints} from the register of complaints" if found.complaints else words


def _tell(result: dict[str, Any], text: str, *, as_json: bool) -> None:
    click.echo(json.dumps(result, indent=2) if as_json else text)
