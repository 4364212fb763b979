"""Implants, abutments, screws and bridges in real proportions (centimetres)."""
