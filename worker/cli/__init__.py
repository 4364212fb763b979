"""The operator's command line: the queue, dead letters, the gate, privacy requests and checks."""
