"""The background half: claims due rows and carries them into the CRM."""
