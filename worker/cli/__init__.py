"""The operator's command line: the queue, dead letters, pauses, privacy requests and checks."""
