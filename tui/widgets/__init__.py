"""The panels and other widgets of the screens."""
