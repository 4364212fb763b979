"""Whom the outbox delivers to, an adapter each: the visitor by mail, staff by mail and by webhook, the CRM."""
