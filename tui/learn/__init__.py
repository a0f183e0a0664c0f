"""Learn: a lesson on the way to a first burrito, then two minutes beside an agent that believes."""
