"""One module for each address of the API."""
