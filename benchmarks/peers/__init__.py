"""The peers that the product is compared with: each is the minimum that does the same work."""
