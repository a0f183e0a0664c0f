"""The kitchen as a vectorised environment of stable-baselines3, and masked PPO in it.

Each game is one column. One environment step of a column is one decision of a learner: the skill that it starts. The
game then runs, with its partner choosing for itself, until a learner has to choose again. The team's reward and the
weighted features of what the learners did in that time are the decision's reward. If one policy has both seats, it
decides for the seat that is free, for the first before the second, so that the column is one decision process with one
reward. No sample is spent on a step without a choice. Partners that are not trained choose for many games at once.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from bba.agents.learned.policy import Layers, Mask, forward
from bba.config import EPISODE_DEFAULTS
from bba.kitchen import (
    FLOOR,
    KEY,
    MOBILITY,
    N_SKILLS,
    NO_SKILL,
    POSITION,
    SKILL,
    STEP,
    UNREACHABLE,
    Float32Array,
    Layout,
    StateVector,
    new_skill_runs,
    observation_size,
)
from bba.kitchen.batch import KitchenBatch, SpanTotals
from bba.kitchen.choice_rounds import ChoiceRounds

Indices = NDArray[np.int64]


class PolicyPartner:
    """One fixed policy in every game of a batch; partners with more than a policy extend it.

    Args:
        layers: from an observation to one logit per skill.
        epsilon: the share of its choices that are random, 0 to 1; None for a policy without any.
        context_size: length of the context vector that it gives the learner; 0 for none.
    """

    def __init__(self, layers: Layers, epsilon: float | None = None, context_size: int = 0) -> None:
        self.layers = layers
        self.epsilon = epsilon
        self.context_size = context_size

    def reset(self, games: Indices, rng: np.random.Generator) -> None:
        """Starts these games (M,) afresh; `rng` is for what it samples for them. A policy has no memory."""

    def choose(
        self,
        games: Indices,  # noqa: ARG002
        observations: Float32Array,
        masks: Mask,
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        """Returns a feasible skill (M,) for each of these games (M,), from observations (M, size) and masks (M, 27).

        The arrays are written anew for the next choice.
        """
        logits = forward(self.layers, observations)
        if self.epsilon is not None:
            logits[rng.random(len(observations)) < self.epsilon] = 0
        return sample_actions(logits, masks, rng)

    def context(self, games: Indices) -> Float32Array:
        """Returns the extra inputs of the learner in each of these games, shape (M, context_size)."""
        return np.zeros((len(games), self.context_size), np.float32)


def sample_actions(logits: NDArray[np.floating], masks: Mask, rng: np.random.Generator) -> NDArray[np.int32]:
    """Samples a skill (M,) from each row's masked softmax (Gumbel-max); `logits` and `masks` (M, 27)."""
    noisy = np.where(masks, logits + rng.gumbel(size=logits.shape), -np.inf)
    return noisy.argmax(axis=1).astype(np.int32)


BOTH_SEATS = np.array([[True, True]])  # self-play
ALTERNATING_SEATS = np.array([[True, False], [False, True]])  # the first seat in one game, the second in the next
REWARD_SCALE = 0.05  # makes a delivery worth about 5, which suits a value network


class InitialStates:
    """Samples initial states: random positions in a fresh kitchen, or a state from the middle of a game.

    Args:
        layout: the kitchen.
        mobility: probability, 0 to 1, that a movement is carried out, for both players.
        recorded: states of games in progress, shape (R, …); None for none.
        recorded_share: share of games, 0 to 1, that start from one of the recorded states.
    """

    def __init__(
        self,
        layout: Layout,
        mobility: float = EPISODE_DEFAULTS.mobility,
        recorded: StateVector | None = None,
        recorded_share: float = 0.5,
    ) -> None:
        batch = KitchenBatch(layout, 1, mobility=(mobility, mobility))
        self._fresh = batch.states[0].copy()
        self._mobility = batch.states[0, MOBILITY : MOBILITY + 2].copy()
        floor = batch.grid.kind == FLOOR
        distance = batch.grid.distance
        self._positions = []
        for player in (0, 1):
            reachable = distance[self._fresh[POSITION + player]] < UNREACHABLE
            self._positions.append(np.flatnonzero(floor & reachable))
        self._recorded = recorded
        self._recorded_share = 0.0 if recorded is None else recorded_share

    def sample(self, rng: np.random.Generator) -> StateVector:
        """Returns one initial state, with a random key of its own for everything random in the game."""
        if self._recorded is not None and rng.random() < self._recorded_share:
            sampled: StateVector = self._recorded[rng.integers(len(self._recorded))].copy()
            sampled[MOBILITY : MOBILITY + 2] = self._mobility
        else:
            sampled = self._fresh.copy()
            first = rng.choice(self._positions[0])
            second = rng.choice(self._positions[1][self._positions[1] != first])
            sampled[POSITION] = first
            sampled[POSITION + 1] = second
        sampled[KEY] = rng.integers(2**31)
        return sampled


class KitchenVecEnv(VecEnv):  # type: ignore[misc]  # no types
    """N games on one layout as N columns.

    Args:
        layout: the kitchen.
        learner_seats: which seats the learner has in each game, booleans (N, 2), at least one per game.
        partner: who has the other seats; None if there are none.
        weights: value of each of the nine features in points, shape (9,).
        initial_states: where games start.
        episode_length: steps of a game.
        seed: seeds everything random.
        skill_known: share of games in which the learner sees which skill the other cook runs, as the last 27 inputs
            (one-hot; all 0 in other games and if none is running). None: there are no such inputs.

    Attributes:
        durations: kitchen steps that each column's last decision took, shape (N,).
        steps_played: kitchen steps played in all games together.
        team_rewards: the team's reward so far, over all games of a column, shape (N,).
        feature_counts: how often each player did each feature, over all games of a column, shape (N, 2, 9).
    """

    def __init__(
        self,
        layout: Layout,
        learner_seats: NDArray[np.bool_],
        partner: PolicyPartner | None,
        weights: NDArray[np.floating],
        initial_states: InitialStates,
        episode_length: int,
        seed: int,
        skill_known: float | None = None,
    ) -> None:
        n = len(learner_seats)
        self._skill_known = skill_known
        self._knows = np.zeros(n, np.bool_)
        self.batch = KitchenBatch(layout, n)
        self.learner_seats = learner_seats
        self.partner = partner
        self.weights = np.asarray(weights, np.float64)
        self.initial_states = initial_states
        self.episode_length = episode_length
        self.rng = np.random.default_rng(seed)
        self.end_steps = np.zeros(n, np.int32)
        self.deciding_seats = np.zeros(n, np.int64)
        self.durations = np.zeros(n, np.int64)
        self.steps_played = 0
        self.team_rewards = np.zeros(n, np.int64)
        self.feature_counts = np.zeros((n, 2, len(weights)), np.int64)
        self._all_games = np.arange(n)
        self._rounds = ChoiceRounds(self.batch, ~learner_seats)
        self._masks: Mask = np.zeros((n, N_SKILLS), np.bool_)
        self._actions: NDArray[np.integer] = np.zeros(n, np.int64)
        size = observation_size(self.batch.grid) + (partner.context_size if partner else 0)
        size += 0 if skill_known is None else N_SKILLS
        self.render_mode = None
        super().__init__(n, Box(0.0, 1.0, (size,), np.float32), Discrete(N_SKILLS))

    def reset(self) -> Float32Array:
        """Restarts every game."""
        self.restart(self._all_games)
        self._run_until_choice()
        return self.observe()

    def restart(self, games: NDArray[np.int64]) -> None:
        """Restarts these games."""
        for i in games.tolist():
            self.batch.states[i] = self.initial_states.sample(self.rng)
            self.batch.runs[i] = new_skill_runs()
        if self._skill_known is not None:
            self._knows[games] = self.rng.random(len(games)) < self._skill_known
        self.end_steps[games] = self.batch.states[games, STEP] + self.episode_length
        if self.partner:
            self.partner.reset(games, self.rng)

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Takes the skills of the deciding seats, (N,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Float32Array, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Runs every game to its next decision."""
        self._rounds.choices[self._all_games, self.deciding_seats] = self._actions
        span = self._run_until_choice()
        self.durations = span.steps
        self.steps_played += int(span.steps.sum())
        self.team_rewards += span.rewards
        self.feature_counts += span.features
        shaping = (span.features * self.learner_seats[:, :, None]).sum(axis=1) @ self.weights
        rewards: NDArray[np.float32] = ((span.rewards + shaping) * REWARD_SCALE).astype(np.float32)
        dones = self.batch.states[:, STEP] >= self.end_steps
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if dones.any():
            last = self.observe()
            ended = np.flatnonzero(dones)
            for i in ended.tolist():
                infos[i] = {"terminal_observation": last[i], "TimeLimit.truncated": True}
            self.restart(ended)
            self._run_until_choice()
        return self.observe(), rewards, dones, infos

    def observe(self) -> Float32Array:
        """Returns the observation of each game's deciding seat, (N, size), and updates the masks."""
        observations, self._masks = self._rounds.observe(self.deciding_seats)
        if self._skill_known is not None:
            skills = self.batch.runs[self._all_games, 1 - self.deciding_seats, SKILL]
            observations = np.concatenate([observations, with_skill(skills, self._knows)], axis=1)
        if self.partner is None or self.partner.context_size == 0:
            return observations
        return np.concatenate([observations, self.partner.context(self._all_games)], axis=1)

    def action_masks(self) -> Mask:
        """Returns the skills that each game's deciding seat can start, (N, 27)."""
        return self._masks

    def _run_until_choice(self) -> SpanTotals:
        """Starts the chosen skills and runs each game until a learner has to choose or the game is over."""
        span = SpanTotals.zeros(self.num_envs)
        while True:
            games, seats, observations, masks = self._rounds.play(self.end_steps, span)
            if self.partner is None or len(games) == 0:
                break
            self._rounds.choices[games, seats] = self.partner.choose(games, observations, masks, self.rng)
        free = self.batch.waiting & self.learner_seats
        first_free = free.argmax(axis=1)
        first_learner = self.learner_seats.argmax(axis=1)
        self.deciding_seats = np.where(free.any(axis=1), first_free, first_learner)
        return span

    # --- the rest of stable-baselines3's interface of a vectorised environment --------------------------------------

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute for each column; it is the same for all."""
        return [getattr(self, attr_name)] * len(self._get_indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Cannot be done for single columns.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(attr_name)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Calls a method once for all columns and returns its row for each column."""
        result = getattr(self, method_name)(*args, **kwargs)
        return [result[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:  # noqa: ARG002
        """Returns False for each column: none is wrapped."""
        return [False] * len(self._get_indices(indices))


def with_skill(skills: NDArray[np.integer], known: NDArray[np.bool_]) -> Float32Array:
    """Returns skills (N,) as one-hot rows (N, 27), all 0 for NO_SKILL and where it is not known (N,)."""
    rows = np.zeros((len(skills), N_SKILLS), np.float32)
    with_known_skill = np.flatnonzero(known & (skills != NO_SKILL))
    rows[with_known_skill, skills[with_known_skill]] = 1
    return rows


def repeat_seats(pattern: NDArray[np.bool_], games: int) -> NDArray[np.bool_]:
    """Returns the learner's seats in each game (games, 2) by repeating a pattern (M, 2)."""
    return pattern[np.arange(games) % len(pattern)]


Tensors = dict[str, torch.Tensor]


class SMDPRolloutBuffer(MaskableRolloutBuffer):  # type: ignore[misc]  # no types
    """A rollout buffer for decisions of unequal length: the discount is gamma per kitchen step.

    The value after the end of a game is an exception: stable-baselines3 adds it to the last reward, discounted by one
    step.

    Args:
        env: the environment, from which the decisions' durations are read; the rest as in `MaskableRolloutBuffer`.
    """

    def __init__(self, *args: Any, env: KitchenVecEnv, **kwargs: Any) -> None:
        self.env = env
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Clears the buffer."""
        super().reset()
        self.durations = np.zeros((self.buffer_size, self.n_envs), np.int64)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Adds one decision per column, and its duration."""
        self.durations[self.pos] = self.env.durations
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: NDArray[np.bool_]) -> None:
        """Computes generalised advantages (Schulman et al., 2016) over decisions of unequal length."""
        last_dones = dones[None].astype(np.float32)
        values_after = last_values.cpu().numpy().reshape(1, -1)
        alive = 1.0 - np.concatenate([self.episode_starts[1:], last_dones])
        next_values = np.concatenate([self.values[1:], values_after])
        discount = alive * self.gamma**self.durations
        td_errors = self.rewards + discount * next_values - self.values
        advantage = np.zeros(self.n_envs, np.float32)
        for t in reversed(range(self.buffer_size)):
            advantage = td_errors[t] + discount[t] * self.gae_lambda * advantage
            self.advantages[t] = advantage
        self.returns = self.advantages + self.values


def make_ppo(env: KitchenVecEnv, *, hidden: int, seed: int, **options: Any) -> MaskablePPO:
    """Returns an untrained learner: two tanh layers for the policy and two separate ones for the value.

    Args:
        env: the environment.
        hidden: width of the layers.
        seed: seeds the network and the sampling.
        options: further arguments of `MaskablePPO`.
    """
    layers = {"pi": [hidden, hidden], "vf": [hidden, hidden]}
    return MaskablePPO(
        "MlpPolicy",
        env,
        rollout_buffer_class=SMDPRolloutBuffer,
        rollout_buffer_kwargs={"env": env},
        policy_kwargs={"net_arch": layers, "activation_fn": nn.Tanh},
        seed=seed,
        device="cpu",
        **options,
    )


def is_policy_parameter(name: str) -> bool:
    """Whether a parameter of the learner's network belongs to the policy, not to the value."""
    return "policy_net" in name or "action_net" in name


def policy_layers(policy: MaskableActorCriticPolicy) -> Layers:
    """Returns copies of the policy's layers as NumPy arrays."""
    return linear_layers([*policy.mlp_extractor.policy_net, policy.action_net])


def linear_layers(modules: Iterable[nn.Module]) -> Layers:
    """Returns copies of the linear ones among these modules as NumPy arrays."""
    linear = [module for module in modules if isinstance(module, nn.Linear)]
    return tuple((_copied(layer.weight), _copied(layer.bias)) for layer in linear)


def _copied(parameter: torch.Tensor) -> Float32Array:
    array: Float32Array = parameter.detach().numpy().copy()
    return array


def with_context_inputs(network: Tensors, context_size: int) -> Tensors:
    """Returns the same network with `context_size` more inputs, whose weights are zero."""
    widened = dict(network)
    for name in ("mlp_extractor.policy_net.0.weight", "mlp_extractor.value_net.0.weight"):
        weight = network[name]
        context_weight = torch.zeros(len(weight), context_size)
        widened[name] = torch.cat([weight, context_weight], dim=1)
    return widened
