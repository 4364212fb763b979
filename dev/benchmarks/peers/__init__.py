"""What the product is measured against. Each is the least that does the same work."""
