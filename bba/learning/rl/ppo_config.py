"""The parameters of a PPO training."""

from dataclasses import dataclass, replace

from bba.kitchen.features import reachable_features
from bba.kitchen.layout import Layout


@dataclass(frozen=True, slots=True)
class PPOConfig:
    """The parameters of a PPO training. The preprint's values, if they differ, are in brackets.

    Attributes:
        steps: kitchen steps to train on, in all games together, rounded up to whole rounds (3 million).
        games: number of games that are played side by side.
        length: kitchen steps of a training game.
        rollout: decisions per game between two updates; an update has `games` times that many samples (8192).
        minibatch: samples per gradient step (768).
        epochs: passes over the samples of an update.
        rate: learning rate at the start; it decreases linearly to a tenth (5e-5).
        gamma: discount per kitchen step (0.999).
        lam: λ of the generalised advantage, per decision (0.999).
        clip: clip range of the probability ratio (0.2).
        entropy: coefficient of the policy's entropy (0.02).
        hidden: width of the two hidden layers.
        updates: updates per round; each round ends with an evaluation and a checkpoint.
        critic_first: rounds at the start that train the value only, so that an untrained value does not spoil the
            cloned policy.
    """

    steps: int = 3_000_000
    games: int = 256
    length: int = 600
    rollout: int = 32
    minibatch: int = 1024
    epochs: int = 4
    rate: float = 1e-3
    gamma: float = 0.997
    lam: float = 0.9
    clip: float = 0.2
    entropy: float = 0.003
    hidden: int = 128
    updates: int = 4
    critic_first: int = 1


def config_for(layout: Layout, config: PPOConfig) -> PPOConfig:
    """Returns the parameters for a layout: longer horizons and a lower learning rate if the map divides the work.

    On such a map a cook often has nothing to do, and each idle step is a decision: on `forced_coordination` a decision
    lasts 3 steps, not 10. With the discount and the λ of the other maps, a policy that dislikes plating learns there
    that delivering never pays.
    """
    divided = not (reachable_features(layout, 0) & reachable_features(layout, 1)).all()
    return replace(config, rate=5e-4, gamma=0.999, lam=0.98) if divided else config
