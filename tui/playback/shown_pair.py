"""The pair of cooks that watch, play and the start screen open with: a belief and its gate change plans beside it.

`bayes-value` plays beside a partner that does not adapt, so that the ego has to. The preprint's pair takes its place
where the kitchen has no networks for the rollout planner, and where something else is said of the ego.

The first steps of a game, or of a duel with the same ego without a belief, come from a recording that ships until the
planner is compiled and loaded. `python -m benchmarks.shown` makes the recordings anew, after a change of how agents
play.
"""

from pathlib import Path
from typing import TypeVar

from bba.agents import NoWeights, planning_networks
from bba.files import data_dir
from bba.kitchen import Layout
from bba.play import EGO, GameConfig, Recording, load
from bba.settings import GameOptions, SeatOptions
from tui.arguments.options import SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEED, SHOWN_SEEDS

RECORDINGS = "assets/shown"  # the folder of the recordings that ship
OF_THE_EGO = {"agent", "planner", "trigger", "models", "partner_model"}  # options after which the ego is not the usual

SomeGame = TypeVar("SomeGame", bound=GameOptions)


def with_shown_pair(options: SomeGame) -> SomeGame:
    """Returns a game with the cooks that are shown, where nothing is said of them.

    Raises:
        BBAError: there is no such kitchen.
    """
    said = options.model_fields_set
    if said & OF_THE_EGO or not has_networks(options):
        preprint = SeatOptions.model_fields
        usual = {name: preprint[name].default for name in ("agent", "partner")}
    else:
        usual = {"agent": SHOWN_EGO}
        if "partner" not in said:
            usual |= {"partner": SHOWN_PARTNER, "seed": SHOWN_SEEDS.get(options.layout, SHOWN_SEED)}
    return options.model_copy(update={name: value for name, value in usual.items() if name not in said})


def with_possible_ego(options: SomeGame) -> SomeGame:
    """Returns a game whose ego is the preprint's in place of the one that is shown, where the kitchen has no networks.

    Raises:
        BBAError: there is no such kitchen.
    """
    if options.agent != SHOWN_EGO or has_networks(options):
        return options
    return without_networks(options)


def without_networks(options: SomeGame) -> SomeGame:
    """Returns a game whose ego is the preprint's in place of the one that is shown: a drawn kitchen has no networks."""
    if options.agent != SHOWN_EGO:
        return options
    return options.model_copy(update={"agent": SeatOptions.model_fields["agent"].default})


def has_networks(options: GameOptions) -> bool:
    """Whether the rollout planner can plan in the kitchen of a game.

    Raises:
        BBAError: there is no such kitchen.
    """
    try:
        planning_networks(Layout.load(options.layout), options.weights)
    except NoWeights:
        return False
    return True


def shipped_recording(config: GameConfig) -> Recording | None:
    """Returns the recording that ships of a game with this configuration; None if there is none."""
    name = f"{config.layout.name}-{config.seats[EGO].agent}-{config.seed}.bba"
    path = data_dir(RECORDINGS) / name
    if Path(name).name != name or not path.is_file():
        return None
    recording = load(path)
    return recording if recording.config == config else None


def shown_game(layout: Layout) -> Recording | None:
    """Returns the recording that ships of the shown pair in a kitchen; None if there is none."""
    seed = SHOWN_SEEDS.get(layout.name)
    if seed is None:
        return None
    recording = load(data_dir(RECORDINGS) / f"{layout.name}-{SHOWN_EGO}-{seed}.bba")
    return recording if recording.config.layout == layout else None
