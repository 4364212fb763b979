"""A stand-in for Zoho CRM v8 on this machine: its token and record endpoints, and a ledger that proves what arrived."""
