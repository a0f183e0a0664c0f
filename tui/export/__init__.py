"""Export of a game from the screen or the command line."""
