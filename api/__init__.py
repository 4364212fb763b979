"""The HTTP API: resources, schemas, guards and the publisher. No SQL statements, no CRM names."""
