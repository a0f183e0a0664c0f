"""One game: playing, forking, recording and replaying it. It needs no screen."""

from bba.agents.registry import load_agent
from bba.play.game import Game, play_game
from bba.play.game_spec import GameSpec
from bba.play.recording import Outcome, Recording, outcome, record
from bba.play.recording_io import load, pack, save, save_new, unpack, usage_path, usage_text
from bba.play.replay import (
    ForkPreset,
    Replay,
    fork,
    fork_presets,
    plays_without_belief,
    without_belief,
    worth_of_knowing,
)
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER, GameConfig, StepArrays, Tick, Trace, Truths

__all__ = [
    "EGO",
    "PARTNER",
    "ForkPreset",
    "Game",
    "GameConfig",
    "GameSpec",
    "Outcome",
    "Recording",
    "Replay",
    "StepArrays",
    "Tick",
    "Trace",
    "Truths",
    "fork",
    "fork_presets",
    "load",
    "load_agent",
    "outcome",
    "pack",
    "play_game",
    "plays_without_belief",
    "record",
    "save",
    "save_new",
    "step_arrays",
    "unpack",
    "usage_path",
    "usage_text",
    "without_belief",
    "worth_of_knowing",
]
