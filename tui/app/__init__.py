"""The main app and its command palette."""
