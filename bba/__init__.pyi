# The public names: `bba/__init__.py` imports each from here when it is first used.
from .agents import (
    Agent as Agent,
)
from .agents import (
    Decision as Decision,
)
from .agents import (
    EpisodeContext as EpisodeContext,
)
from .agents import (
    Observation as Observation,
)
from .agents import (
    Profile as Profile,
)
from .agents import (
    SeatSpec as SeatSpec,
)
from .agents import (
    load_agent as load_agent,
)
from .agents.handmade_scene import prompt_of as prompt_of
from .agents.handmade_scene import scene as scene
from .agents.learned.agent import PolicyAgent as PolicyAgent
from .agents.learned.policy import ObservationEncoder as ObservationEncoder
from .agents.learned.policy import feasible_mask as feasible_mask
from .agents.role_belief import RoleBelief as RoleBelief
from .analysis.belief_evaluation import BeliefEvaluation as BeliefEvaluation
from .analysis.belief_evaluation import evaluate_belief as evaluate_belief
from .analysis.coordination import Switch as Switch
from .analysis.coordination import switches as switches
from .analysis.human_choices import pursued_roles as pursued_roles
from .analysis.kitchen_structure import can_deliver as can_deliver
from .analysis.measures import measure as measure
from .belief import ROLE_NAMES as ROLE_NAMES
from .belief import PartnerModel as PartnerModel
from .bench.crossplay import crossplay as crossplay
from .bench.presets import load_sweep as load_sweep
from .bench.results_reader import load_results as load_results
from .bench.runner import run_sweep as run_sweep
from .config import BeliefConfig as BeliefConfig
from .config import FilterConfig as FilterConfig
from .config import GateConfig as GateConfig
from .errors import BBAError as BBAError
from .film.formats import export as export
from .kitchen import Action as Action
from .kitchen import Item as Item
from .kitchen import Kitchen as Kitchen
from .kitchen import Layout as Layout
from .kitchen import Skill as Skill
from .kitchen.batch import KitchenBatch as KitchenBatch
from .play import (
    Game as Game,
)
from .play import (
    GameSpec as GameSpec,
)
from .play import (
    Replay as Replay,
)
from .play import (
    Tick as Tick,
)
from .play import (
    Trace as Trace,
)
from .play import (
    load as load,
)
from .play import (
    play_game as play_game,
)
from .play import (
    record as record,
)
from .play import (
    save as save,
)
from .play.data_sets import DataSet as DataSet
from .play.data_sets import load_data as load_data
from .play.replay import fork as fork
from .play.seat_env import gym_env as gym_env
from .play.seat_env import parallel_env as parallel_env
from .report.content import sweep_figures as sweep_figures
from .report.page import write_report as write_report

__version__: str
