"""Flower as it runs here: behind a login, with a page of the outbox."""
