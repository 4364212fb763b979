"""A local stand-in for Zoho CRM v8: its endpoints, and a ledger of every call as proof of what arrived."""
