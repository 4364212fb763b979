"""Benchmarks: the product's speed, as ratios to peers measured on the same machine at the same time."""
