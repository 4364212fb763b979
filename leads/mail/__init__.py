"""Acknowledgements owed to visitors, and the mailboxes they go to."""
