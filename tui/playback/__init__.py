"""Playback of a game without a screen: its source, its clock and the step that is shown."""
