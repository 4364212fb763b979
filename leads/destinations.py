"""Who may be owed something for a lead or a click: the destinations of the outbox by name.

Their adapters are in `worker/destinations`. A name is stored with each row: it stays as it is.
"""

from __future__ import annotations

CRM = "zoho"  # the record that sales staff work with
VISITOR = "visitor"  # the e-mail that acknowledges an enquiry
STAFF_MAIL = "staff-mail"
STAFF_WEBHOOK = "staff-webhook"
# How long a message waits for the record in the CRM, so that staff's can link to it. Then it goes without.
PATIENCE_SECONDS = 60.0
