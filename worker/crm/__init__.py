"""The CRM as the worker sees it: the port, the permit to call it, and the one place that connects it to Zoho."""
