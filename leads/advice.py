"""What to do about each trouble, in five lines at most: Flower, `status` and docs/runbook.md show these words.

Between backticks stands what is typed: an operator's command, or `restart`, `log` and `migrate` of a program, which
each kind of installation has words of its own for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

ADVICE = {
    "storage": """\
Visitors are asked to call or to write by WhatsApp: this costs leads by the minute.
Not running: `restart postgres`. Behind the code: `migrate`.
DiskFull: delete old backups and images, but nothing below the database's folder.
ReadOnlySqlTransaction: DATABASE_URL names a standby; point it to the primary.
InsufficientPrivilege: the role lost its rights; deploy/postgres/roles.psql has them.""",
    "disk": """\
PostgreSQL and Redis soon write no more, and then no enquiry can be stored.
Make room: old backups and images, journals; nothing below the stores' own folders. Then `restart valkey`.""",
    "workers": """\
Nothing is delivered until a worker runs: `restart worker`.
If it ends again, the end of its log says why: `log worker`.""",
    "paused": """\
paused: `resume` when its reason is gone (`resume --destination` for another than zoho). credits: wait, or buy more.
auth: `check` says what is wrong; get a new refresh token, `restart worker`, then `resume`.
configuration: undo the change in Zoho that the detail names, or install a newer release; then `resume`.""",
    "failing": """\
Nothing at first: it is tried again by itself, and when it answers all that failed goes at once.
If it lasts, `check` tries the CRM and the mail server as a worker does.
CONNECTION_…, TIMEOUT: the network, or their side. SMTP_…: login, sender or address is refused.
HTTP_401, HTTP_403: the receiver knows another LEAD_WEBHOOK_SECRET. LIMIT: it waits for the next hour's budget.""",
    "oldest": """\
The enquiry is stored. `waiting` lists the rows, why they wait, and when each is tried next. Most go by themselves.
When you have mended a cause, `redrive --code` with its code, or Retry in Flower, tries them at once.
Never tried: no worker has that destination's setting, or it is paused: `resume --destination` with the name.""",
    "refused": """\
The CRM or a receiver does not take these as they are: a rule, or a field that became mandatory, in Zoho.
They are tried again every four hours for three days, then given up. Staff have the same list by mail.
Mend what the code and the field name, then `redrive --code` with the code, or the button in Flower: all go at once.
What the CRM will never take must be entered there by hand: `export` has it.""",
    "held": """\
Suspected spam, which a person must look at: nobody calls these people. Staff have the same list by mail.
`show` with the reference says why; `release` with it, or Release in Flower, sends it to the CRM.
Spam: `release --spam` with the reference, or Delete in Flower. This stays until none is left.
All of a flood was real: `release --code flood --since 6h`; was spam: `release --spam --code flood`.""",
    "redis": """\
Leads still arrive in the CRM, within a minute instead of at once. Nothing is lost.
It does not answer: `restart valkey`, also where it hangs.
It refuses to write. MISCONF: its disk is full or broken. OOM: its memory is full. READONLY: it is a replica.""",
    "fields": """\
Leads arrive without what a missing field would hold: `check` says what is lost, `check --create` makes it again.
Phone: allow duplicate values for it again in Zoho. Read-only: let the API user's profile write it.
Sent rows without a record: `reconcile` names them, and `reconcile --fix` sends them again.
Erased, but still there: `erasures` says why; what the CRM does not let go must be erased there by hand.""",
    "losing": """\
Each worker that had such a row in its call ended: killed, or out of memory. No other row waits for it.
`waiting --state sending` names the rows; the end of the worker's log says how it ended: `log worker`.
Many rows: look at the memory and at the last deployment; all arrives when workers stay alive.
One row: report it as a fault of the product, and enter the lead in Zoho by hand.""",
}
# What is typed for a command, and for `restart`, `log` and `migrate`, by kind of installation.
COMPOSE = ("docker compose exec worker python -m worker {}", "docker compose restart {}",
           "docker compose logs --tail 100 {}", "docker compose run --rm migrate")  # fmt: skip
SYSTEMD = (
    "clinic {}",
    "systemctl restart {}",
    "journalctl --lines 100 --unit {}",
    "systemctl start clinic-migrate@RELEASE",
)
LAUNCHER = ('make ops CMD="{}"', "make run", "tail -n 100 .data/logs/{}.log", "make run")
_VERBS = ("restart", "log", "migrate")
_UNITS = {"worker": "clinic-worker", "postgres": "postgresql", "valkey": "valkey-server"}


@cache
def _installation() -> tuple[str, ...]:
    if Path("/usr/local/bin/clinic").exists():  # which deploy/systemd/install.sh puts there
        return SYSTEMD
    return COMPOSE if Path("/run/secrets/redis_url").exists() else LAUNCHER


def typed(words: str, installation: Sequence[str]) -> str:
    """Return what is typed for words between backticks."""
    command, *programs = installation
    verb, _, name = words.partition(" ")
    if verb not in _VERBS:
        return command.format(words)
    return programs[_VERBS.index(verb)].format(_UNITS.get(name) if installation is SYSTEMD else name)


def advice_here(name: str, mark: Callable[[str], str] = "`{}`".format) -> str:
    """Return the advice with what is typed in this installation; `mark` marks it."""
    return re.sub(r"`([^`]+)`", lambda found: mark(typed(found[1], _installation())), ADVICE[name])
