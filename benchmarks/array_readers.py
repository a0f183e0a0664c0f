"""PyTorch and JAX as readers of a batch: what it observes is shown by them without a copy (DLPack).

Each runs in an environment of its own (`benchmarks.reference`), in which the other is not installed.
"""

import os
import sys
from typing import Any, Protocol

import numpy as np

from bba.kernels import HERE
from bba.kitchen import constants
from bba.kitchen.batch import KitchenBatch

LAYOUT = "open"


class Reader(Protocol):
    """A library that plays a batch.

    Attributes:
        games: in the batch.
    """

    games: int

    def shows_a_copy(self) -> bool:
        """Whether its array is another one than the batch's."""

    def play(self) -> None:
        """Plays a step of random actions, observes it and reads a number of each observation."""


class PyTorchReader:
    """PyTorch, whose tensor stays the batch's array."""

    def __init__(self, games: int) -> None:
        import torch

        self.games = games
        self._torch = torch
        self._batch = observed_batch(games)
        self._seen = self._batch.observe()
        self._shown = torch.from_dlpack(self._seen)

    def shows_a_copy(self) -> bool:
        """Whether the tensor begins elsewhere."""
        return bool(self._shown.data_ptr() != self._seen.ctypes.data)

    def play(self) -> None:
        """Plays a step, whose observations the tensor shows at once."""
        actions = self._torch.randint(0, constants.N_ACTIONS, (self.games, 2), dtype=self._torch.int32)
        self._batch.step(actions.numpy())
        self._batch.observe(out=self._seen)
        self._shown[:, :, 0].sum()


class JaxReader:
    """JAX, whose arrays must not change: each step needs a new one, which is read before the next step."""

    def __init__(self, games: int) -> None:
        import jax

        self.games = games
        self._jax = jax
        self._key = jax.random.PRNGKey(0)
        self._batch = observed_batch(games)
        self._seen = self._batch.observe()

    def shows_a_copy(self) -> bool:
        """Whether the array begins elsewhere."""
        return bool(self._shown().unsafe_buffer_pointer() != self._seen.ctypes.data)

    def play(self) -> None:
        """Plays a step, and waits until its observations are read."""
        self._key, key = self._jax.random.split(self._key)
        actions = self._jax.random.randint(key, (self.games, 2), 0, constants.N_ACTIONS)
        self._batch.step(np.asarray(actions))
        self._batch.observe(out=self._seen)
        self._shown()[:, :, 0].sum().block_until_ready()

    def _shown(self) -> Any:
        return self._jax.dlpack.from_dlpack(self._seen)


def observed_batch(games: int) -> KitchenBatch:
    """Returns a batch that is played by all cores, compiled from its first step on."""
    os.environ[HERE] = "1"
    return KitchenBatch(LAYOUT, games, threads=os.cpu_count() or 1)


def answer(reader: Reader) -> None:
    """Plays as many steps, of all games together, as each line of stdin says; ends at once if it is shown a copy."""
    if reader.shows_a_copy():
        print("it copies what it reads", flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        for _ in range(int(line) // reader.games):
            reader.play()
        print("done", flush=True)
