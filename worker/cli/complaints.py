"""`complaints`: the register of data complaints, and the note that one was answered."""

from __future__ import annotations

import click

from leads.privacy.complaints import answer_complaint, list_complaints
from worker.cli.database import by_option, json_option, on_database
from worker.cli.terminal import show

COLUMNS = ["reference", "created_at", "answer_by", "answered_at", "answered_by", "name", "email", "text"]


@click.command(short_help="The register of data complaints.")
@click.option("--answered", metavar="REFERENCE", help="Write down that this one was answered.")
@click.option("--all", "everything", is_flag=True, help="Answered ones and suspected spam too.")
@click.option("--most", default=50, show_default=True, help="Oldest complaints, at most.")
@by_option
@json_option
def complaints(*, answered: str | None, everything: bool, most: int, by: str, as_json: bool) -> None:
    """Complaints that wait for an answer, oldest first, each with the day by which it must have one.

    With --json each has its whole text.
    """
    if answered is not None:
        if not on_database(lambda engine: answer_complaint(engine, answered.strip(), by=by)):
            raise click.ClickException(f"No complaint {answered} waits for an answer.")
        click.echo(f"{answered} is answered.")
        return
    rows = on_database(lambda engine: list_complaints(engine, limit=most, everything=everything))
    show(rows, COLUMNS, as_json=as_json, empty="No complaint waits for an answer.")
