"""What to do about each trouble, in five lines at most: Flower, `status` and docs/runbook.md show these words."""

from __future__ import annotations

ADVICE = {
    "storage": """\
Visitors are asked to call or to write by WhatsApp: this costs leads by the minute.
Not running: `docker compose up --detach postgres`. Behind the code: `docker compose run --rm migrate`.
DiskFull: delete old backups and images, but nothing below the database's folder.
ReadOnlySqlTransaction: DATABASE_URL names a standby; point it to the primary.
InsufficientPrivilege: the role lost its rights; deploy/postgres/roles.sql has them.""",
    "workers": """\
Nothing is delivered until a worker runs: `docker compose up --detach worker`.
If it ends again, the end of its log says why (`docker compose logs --tail 100 worker`).""",
    "paused": """\
outage, rate: nothing; it ends by itself, and what failed goes first. credits: wait, or buy more.
paused: `resume` when its reason is gone (`resume --destination` for another than zoho).
auth: `check` says what is wrong; get a new refresh token, restart the workers, then `resume`.
configuration: undo the change in Zoho that the detail names, or install a newer release; then `resume`.""",
    "failing": """\
The CRM fails for the few rows there are, too few to be sure that it is an outage.
Nothing at first: they are tried again by themselves. `waiting` names the codes.
If it lasts, `check` tries the CRM as a worker does.""",
    "oldest": """\
`waiting` lists the rows, why they wait, and when each is tried next. Most go by themselves.
When you have mended a cause, `redrive --code` with its code, or Retry in Flower, tries them at once.""",
    "refused": """\
The CRM or a receiver does not take these as they are: a rule, or a field that became mandatory, in Zoho.
They are tried again every four hours for three days, then given up. Staff have the same list by mail.
Mend what the code and the field name, then `redrive --code` with the code, or Retry in Flower: all go at once.
What the CRM will never take must be entered there by hand: `export` has it.""",
    "held": """\
Suspected spam, which a person must look at: nobody calls these people. Staff have the same list by mail.
`show` with the reference says why; `release` with it, or Release in Flower, sends it to the CRM.
Spam: `release --spam` with the reference, or Delete in Flower. This stays until none is left.
All of a flood was real: `release --code flood --since 6h`; was spam: `release --spam --code flood`.""",
    "redis": """\
Leads still arrive in the CRM, within a minute instead of at once. Nothing is lost.
Restart it, also where it hangs: `docker compose restart valkey`. MISCONF: its disk is full.""",
    "messages": """\
The enquiry is stored, and may be in Zoho already. `waiting --destination` with the name has the codes.
SMTP_… or the name of an error: `check` tries the mail server and each address of staff.
HTTP_401, HTTP_403: the receiver knows another LEAD_WEBHOOK_SECRET. LIMIT: it waits for the next hour's budget.
Never tried: no worker has that setting, or the destination is paused: `resume --destination` with the name.""",
    "fields": """\
Leads arrive without what a missing field would hold: `check` says what is lost, `check --create` makes it again.
Phone: allow duplicate values for it again in Zoho. Read-only: let the API user's profile write it.
Sent rows without a record: `reconcile` names them, and `reconcile --fix` sends them again.""",
    "losing": """\
Each worker that had such a row in its call ended: killed, or out of memory. No other row waits for it.
`waiting --state sending` names the rows; the end of the worker's log says how it ended.
Many rows: look at the memory and at the last deployment; all arrives when workers stay alive.
One row: report it as a fault of the product, and enter the lead in Zoho by hand.""",
}
