"""The /metrics endpoint and what it reports."""
