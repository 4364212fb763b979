"""The HTTP API: resources, schemas, guards and the doorbell. No SQL statements, no CRM names."""
