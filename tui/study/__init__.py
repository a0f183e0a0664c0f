"""The app of a study with participants: its pages and its games."""
