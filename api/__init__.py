"""The HTTP API: resources, schemas, limits and the publisher. No SQL statements, no CRM names."""
