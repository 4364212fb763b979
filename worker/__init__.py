"""The background worker: claims due rows and delivers them to the CRM."""
