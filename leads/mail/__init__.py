"""Acknowledgement e-mails owed to visitors, and the mailboxes they are sent to."""
