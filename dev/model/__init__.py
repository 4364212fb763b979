"""Models of the delivery, checked exhaustively; and the replay of real rows through the same table."""
