"""The transactional outbox: rows that owe the CRM a call, and all SQL that stores, claims and marks them."""
