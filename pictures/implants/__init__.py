"""What a dentist screws in: implants, abutments, screws and bridges, in real proportions (centimetres)."""
