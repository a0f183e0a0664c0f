"""One game: what the screen, the headless run and the person at the keyboard share."""

from bba.agents import load_agent
from bba.play.game import Game
from bba.play.recording import Recording, load, record, save
from bba.play.replay import Replay
from bba.play.trace import Setup, Tick, Trace

__all__ = [
    "Game",
    "Recording",
    "Replay",
    "Setup",
    "Tick",
    "Trace",
    "load",
    "load_agent",
    "record",
    "save",
]
