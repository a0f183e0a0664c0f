"""Themes, breakpoints, key bindings and the base class of both apps."""
