"""`complaints`: the register of data complaints, and marking one as answered."""

from __future__ import annotations

import click

from leads.privacy.complaints import answer_complaint, list_complaints
from worker.cli.database import by_option, json_option, on_database
from worker.cli.terminal import show

COLUMNS = ["reference", "created_at", "answer_by", "answered_at", "answered_by", "name", "email", "text"]


@click.command(short_help="List data complaints, or mark one as answered.")
@click.option("--answered", metavar="REFERENCE", help="Mark this complaint as answered.")
@click.option("--all", "everything", is_flag=True, help="Include answered complaints and suspected spam.")
@click.option("--limit", default=50, show_default=True, help="Maximum number of complaints; the oldest come first.")
@by_option
@json_option
def complaints(*, answered: str | None, everything: bool, limit: int, by: str, as_json: bool) -> None:
    """List the complaints without an answer, oldest first, each with the day by which it must be answered.

    With --json each has its full text.
    """
    if answered is not None:
        if not on_database(lambda engine: answer_complaint(engine, answered.strip(), by=by)):
            raise click.ClickException(f"No complaint {answered} waits for an answer.")
        click.echo(f"{answered} is answered.")
        return
    rows = on_database(lambda engine: list_complaints(engine, limit=limit, everything=everything))
    show(rows, COLUMNS, as_json=as_json, empty="No complaint waits for an answer.")
