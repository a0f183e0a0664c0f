"""How likely a cook's last action is under each role, for beliefs that are made of it."""

from functools import cache

import numpy as np

from bba.belief.filter import filter_params
from bba.belief.likelihood import Scratch, StayModel, likelihoods, new_scratch
from bba.belief.roles import ROLE_NAMES, hypothesis_space
from bba.config import FilterConfig
from bba.kernels import maybe_compiled
from bba.kitchen import Float64Array, Layout, StateVector, grid_of


def role_likelihoods(
    layout: Layout,
    before: StateVector,
    state: StateVector,
    player: int,
    *,
    stay_model: StayModel = StayModel.NOISY,
    fast: bool = True,
) -> Float64Array:
    """Returns how likely a player's action between two states of a game is under each role, (6,), above 0.

    It is the likelihood of the preprint's belief with the parameters by default. An action is the likelier, the more of
    the role's skills it serves; where it says nothing about a role, as in handling a fire, all are 1.

    Args:
        layout: the kitchen.
        before: the state before the action.
        state: the state after it.
        player: whose action, 0 or 1.
        stay_model: how to read that the player stays where it is: an `EpisodeContext` says so of the partner.
        fast: whether to compute with compiled kernels.
    """
    scratch = _scratch()
    relative = np.empty(len(ROLE_NAMES))
    roles = hypothesis_space("roles").hypothesis_of_skill
    params = filter_params(FilterConfig(), stay_model)
    compute = maybe_compiled(likelihoods, fast=fast)
    compute(grid_of(layout), before, state, player, roles, params, scratch, relative)
    return scratch.likelihood.copy()


@cache
def _scratch() -> Scratch:
    return new_scratch(len(ROLE_NAMES))
