"""The screens of a study with participants."""
