"""`complaints`: the register of data complaints, and marking one as answered."""

from __future__ import annotations

import json
from functools import partial

import click

from leads.privacy.complaints import answer_complaint, list_complaints
from worker.cli.database import by_option, json_option, limit_option, on_database
from worker.cli.terminal import show

COLUMNS = ["reference", "answer_by", "held", "name", "email", "text"]
ALL_COLUMNS = ["reference", "answer_by", "held", "answered_at", "answered_by", "name", "text"]


@click.command(short_help="List data complaints, or mark one as answered.")
@click.option(
    "--answered",
    "references",
    metavar="REFERENCE",
    multiple=True,
    help="Mark this complaint as answered, or as spam that was read; may be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="Include answered complaints.")
@limit_option
@by_option
@json_option
def complaints(*, references: tuple[str, ...], everything: bool, limit: int, by: str, as_json: bool) -> None:
    """List the complaints without an answer, oldest first, each with the day by which it must be answered.

    Suspected spam is held: it stands behind the others, and a real person's may be among it. With --json each has
    everything, and its full text.
    """
    for reference in map(str.strip, references):
        if not on_database(partial(answer_complaint, reference=reference, by=by)):
            raise click.ClickException(f"No complaint {reference} waits for an answer.")
        click.echo(json.dumps({"answered": reference}) if as_json else f"{reference} is answered.")
    if references:
        return
    rows = on_database(lambda engine: list_complaints(engine, limit=limit, everything=everything))
    columns = ALL_COLUMNS if everything else COLUMNS
    if not as_json:
        rows = [row | {"held": "held" if row["held"] else "-"} for row in rows]
    show(rows, columns, as_json=as_json, empty="No complaint waits for an answer.")
