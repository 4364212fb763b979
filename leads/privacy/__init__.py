"""Erasure, retention, export and complaints: what people may ask of us about their data."""
