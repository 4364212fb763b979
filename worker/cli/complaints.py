"""`complaints`: the register of data complaints, and marking one as answered."""

from __future__ import annotations

import json

import click

from leads.privacy.complaints import answer_complaint, list_complaints
from worker.cli.database import by_option, json_option, limit_option, on_database
from worker.cli.terminal import show

COLUMNS = ["reference", "answer_by", "name", "email", "text"]
ALL_COLUMNS = ["reference", "answer_by", "answered_at", "answered_by", "name", "text"]


@click.command(short_help="List data complaints, or mark one as answered.")
@click.option("--answered", metavar="REFERENCE", help="Mark this complaint as answered.")
@click.option("--all", "everything", is_flag=True, help="Include answered complaints and suspected spam.")
@limit_option
@by_option
@json_option
def complaints(*, answered: str | None, everything: bool, limit: int, by: str, as_json: bool) -> None:
    """List the complaints without an answer, oldest first, each with the day by which it must be answered.

    With --json each has everything, and its full text.
    """
    if answered is not None:
        if not on_database(lambda engine: answer_complaint(engine, answered.strip(), by=by)):
            raise click.ClickException(f"No complaint {answered} waits for an answer.")
        click.echo(json.dumps({"answered": answered.strip()}) if as_json else f"{answered} is answered.")
        return
    rows = on_database(lambda engine: list_complaints(engine, limit=limit, everything=everything))
    columns = ALL_COLUMNS if everything else COLUMNS
    show(rows, columns, as_json=as_json, empty="No complaint waits for an answer.")
