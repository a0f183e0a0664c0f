"""Learning to play: the next thing in the lesson, and what the agent beside you believes."""
