"""The worker's access to the CRM: the port, the permit to call it, and the connection to the Zoho adapter."""
