"""The worker's access to the CRM: the port, access under a permit, and the connection to the Zoho adapter."""
