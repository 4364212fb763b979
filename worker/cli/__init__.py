"""The operator's command line: looking at the queue, moving rows, the gate, and checking the CRM's settings."""
