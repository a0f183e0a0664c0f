"""The terminal app."""

import os

# Pydantic has plug-ins of its own. None is of use here, and it looks for them in every installed package at each start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
