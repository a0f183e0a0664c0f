"""What plays a game on the screen: its source, its clock and the step that is shown."""
