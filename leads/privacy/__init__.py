"""Personal data and people's rights over it: erasure, retention and export."""
