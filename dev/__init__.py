"""What developers run and production never does: embedded servers, the CRM sandbox."""
