"""What stands between uvicorn and the WSGI application: where requests run, and how enquiries share commits."""
