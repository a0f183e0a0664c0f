"""An exam for planners: the same questions to every model, before it plays a game."""
