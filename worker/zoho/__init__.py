"""The CRM client: Zoho CRM v8 over HTTP. It knows no database, no queue and not what a lead is."""
