"""The CRM client: Zoho CRM v8 over HTTP. It does not know the database, the queue or what a lead is."""
