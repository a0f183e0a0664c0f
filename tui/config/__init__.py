"""Preferences from files, and the state that the app keeps between starts."""
