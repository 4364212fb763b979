"""A stand-in for Zoho CRM v8 on this machine: its endpoints, and a ledger that proves what arrived."""
