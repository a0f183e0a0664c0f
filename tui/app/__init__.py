"""The app and its command palette."""
