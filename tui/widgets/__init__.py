"""The panels, one a file, each named as on the screen."""
