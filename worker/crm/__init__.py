"""The worker's access to the CRM: the port, access while calls flow, and the connection to the Zoho adapter."""
