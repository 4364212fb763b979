"""Benchmarks: how fast the product is, as ratios against something run beside it on the same machine."""
