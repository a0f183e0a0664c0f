"""Stored results on the screen: tables of sweeps, and the episodes behind their cells."""
