"""Plain mode: the games as lines of text, watched and played without a screen."""
