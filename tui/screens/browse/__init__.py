"""The screens on which stored results are browsed."""
