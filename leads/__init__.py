"""The domain: settings, tables, the sync lifecycle, the outbox and the rules of contact and attribution."""
