"""One game: what the screen, the headless run and the person at the keyboard share."""

from bba.agents import load_agent
from bba.play.fork import fork
from bba.play.game import Game
from bba.play.recording import Recording, load, record, save
from bba.play.replay import Replay
from bba.play.trace import GameConfig, Tick, Trace

__all__ = [
    "Game",
    "GameConfig",
    "Recording",
    "Replay",
    "Tick",
    "Trace",
    "fork",
    "load",
    "load_agent",
    "record",
    "save",
]
