"""Personal data and people's rights over it: erasure, retention, export and complaints."""
