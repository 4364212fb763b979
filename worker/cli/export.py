"""`export`: everything stored about one person, as JSON in a file that only its owner can read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from leads.privacy.export import export_person
from leads.settings import read_settings
from worker.cli.database import on_database
from worker.cli.erase import email_option, person_of, phone_option
from worker.cli.terminal import printable


@click.command(short_help="Export everything stored about a person.")
@email_option
@phone_option
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="A new file; the default is standard output."
)
def export(*, email: str | None, phone: str | None, out: Path | None) -> None:
    """Export everything stored here about a person, as JSON, for their right of access.

    Finds leads by e-mail or phone number, and the WhatsApp clicks of the same browser sessions, as `erase` does.
    Only you can read the file. Records in the CRM are listed by their ids.
    """
    person = person_of(email, phone)
    exported = on_database(lambda engine: export_person(engine, person, key=read_settings().erasure_key))
    # Files are shown on terminals too.
    text = printable(json.dumps(exported, default=str, indent=2, ensure_ascii=False)) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        _write(out, text)
    click.echo(_summary(exported, out), err=True)


def _write(path: Path, text: str) -> None:
    """Write a new file that only its owner can read, from its creation on."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise click.ClickException(f"{path}: {error.strerror}") from error


def _summary(exported: Mapping[str, list[object] | None], out: Path | None) -> str:
    counts = ", ".join(
        f"{name.replace('_', ' ')}: {'not known without ERASURE_KEY' if rows is None else len(rows)}"
        for name, rows in exported.items()
    )
    return f"{counts}. Written to {out}." if out else f"{counts}."
