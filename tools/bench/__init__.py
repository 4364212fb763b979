"""Speed beside what a user would build instead, on the same machine in the same minutes."""
