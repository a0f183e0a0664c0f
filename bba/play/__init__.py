"""One game: playing, forking, recording and replaying it. It needs no screen."""

from bba.agents.registry import load_agent
from bba.play.game import Game, play_game
from bba.play.recording import Recording, record
from bba.play.recording_file import load, pack, save, unpack
from bba.play.replay import Replay, fork, worth_of_knowing
from bba.play.stretch import step_arrays
from bba.play.trace import EGO, PARTNER, GameConfig, StepArrays, Tick, Trace, Truths

__all__ = [
    "EGO",
    "PARTNER",
    "Game",
    "GameConfig",
    "Recording",
    "Replay",
    "StepArrays",
    "Tick",
    "Trace",
    "Truths",
    "fork",
    "load",
    "load_agent",
    "pack",
    "play_game",
    "record",
    "save",
    "step_arrays",
    "unpack",
    "worth_of_knowing",
]
