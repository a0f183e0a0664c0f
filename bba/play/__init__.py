"""One game: what the screen, the headless run and the person at the keyboard share."""

from bba.agents import load_agent
from bba.play.game import Game
from bba.play.trace import Setup, Tick, Trace

__all__ = ["Game", "Setup", "Tick", "Trace", "load_agent"]
