"""Recipes: how each kind of policy is trained and what it needs before."""
