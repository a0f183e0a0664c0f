"""A game as an animated GIF: the kitchen, the posterior and the timeline."""
