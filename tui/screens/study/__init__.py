"""The screens of a study."""
