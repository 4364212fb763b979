"""`reconcile`: do we and the CRM agree? Meant for every night: the exit code says whether to look."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from leads.settings import SettingsError, read_settings
from worker.cli.database import Moment, by_option, json_option, plain_errors
from worker.cli.terminal import show
from worker.context import make_context
from worker.crm.permit import NotPermitted
from worker.crm.port import CallFailed
from worker.jobs.reconciliation import Comparison, Gap, compare, mend

if TYPE_CHECKING:
    from worker.context import WorkerContext

# What each gap means, for the person who reads the table in the morning.
MEANING = {
    Gap.MISSING: "sent, but there is no such record",
    Gap.UNSENT: "the record is there, but the row is dead or held",
    Gap.UNKNOWN: "the record is there, but there is no such row",
    Gap.ERASED: "the record is there, but the person was erased",
    Gap.DOUBLED: "two records hold this event id",
}


class CouldNotCompare(click.ClickException):
    """Neither agreed nor not: one side did not answer."""

    exit_code = 2


@click.command(short_help="Do we and the CRM agree? For every night.")
@click.option(
    "--since",
    type=Moment(),
    default=lambda: datetime.now(UTC) - timedelta(days=2),
    show_default="2 days ago",
    help="Compare what was sent since: 2026-11-21T14:30 (UTC), 12h, 30d.",
)
@click.option("--fix", is_flag=True, help="Send missing and dead rows again; delete what was erased.")
@by_option
@json_option
def reconcile(*, since: datetime, fix: bool, by: str, as_json: bool) -> None:
    """Compare sent rows with the CRM's records, by event id, and report the gaps both ways.

    A record that somebody deleted in the CRM is no gap and is not made again, and neither is a row that is still
    on its way. Exit code 0: no gaps; 1: gaps, mended or not; 2: it could not be compared.
    """
    try:
        context = make_context(read_settings())
    except SettingsError as error:
        raise CouldNotCompare(str(error)) from error
    with closing(context):
        try:
            with plain_errors(CouldNotCompare):
                found, mended = _run(context, since, by if fix else None)
        except CallFailed as error:
            raise CouldNotCompare(f"The CRM did not give its list: {error}") from error
        except NotPermitted as refusal:
            raise CouldNotCompare(f"The CRM was not asked: {refusal}. `status` says more.") from refusal
    _tell(found, mended, as_json=as_json)
    if found.gaps:
        raise SystemExit(1)


def _run(context: WorkerContext, since: datetime, by: str | None) -> tuple[Comparison, dict[Gap, int]]:
    found = compare(context.engine, context.access, since)
    return found, mend(context.engine, found, by=by) if by else {}


def _tell(found: Comparison, mended: dict[Gap, int], *, as_json: bool) -> None:
    gaps = [
        {"gap": gap.gap, "kind": gap.kind, "id": gap.id, "record_id": gap.record_id, "meaning": MEANING[gap.gap]}
        for gap in found.gaps
    ]
    if as_json:
        counts = {
            name: getattr(found, name) for name in ("since", "until", "rows", "records", "deleted", "under_way")
        }
        click.echo(json.dumps({**counts, "mended": mended, "gaps": gaps}, default=str, indent=2))
        return
    click.echo(
        f"{found.rows:,} rows sent since {found.since:%Y-%m-%d %H:%M} UTC, {found.records:,} records in the CRM;"
        f" {found.deleted} deleted there by somebody, {found.under_way} on their way."
    )
    show(gaps, ["gap", "kind", "id", "record_id", "meaning"], as_json=False, empty="No gaps.")
    for gap, count in mended.items():
        if count:
            click.echo(
                f"{count} {gap}: {'looked for and deleted' if gap is Gap.ERASED else 'sent again'} by the workers."
            )
