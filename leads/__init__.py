"""The domain, free of frameworks: settings, tables, lifecycle, outbox, shared CRM state, mail and privacy."""
