"""The web server: uvicorn with limits on every connection, in front of the WSGI application and its threads."""
