"""The app in the browser: a process for each visitor, behind a link with a secret in it."""
