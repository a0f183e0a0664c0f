"""Rendering: a scene as an RGB image. The rules do not depend on it."""
