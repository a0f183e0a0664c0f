"""Recipes: what each kind of policy needs to be trained."""
