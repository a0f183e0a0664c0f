"""A person's seat."""
