"""The kitchen designer: a map to draw on, and what the kitchen asks of two cooks."""
