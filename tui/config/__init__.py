"""The user's preferences, and the state that the app keeps between starts."""
