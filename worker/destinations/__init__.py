"""The outbox's adapters, one for each destination: the CRM, the visitor by mail, staff by mail and by webhook."""
