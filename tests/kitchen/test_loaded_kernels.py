"""Whether a kernel is compiled on this machine, and loaded in this process."""

import pytest

from bba.agents import base
from bba.kernels import is_compiled, is_loaded, maybe_compiled
from bba.kitchen.constants import NO_SKILL, SKILL_STAY
from bba.kitchen.transition import hash_random
from bba.play import Game


def never_called(number: int) -> int:
    return number + 1


def test_a_kernel_is_loaded_once_it_has_been_called_compiled():
    maybe_compiled(hash_random, fast=True)(1, 2)
    assert is_loaded(hash_random)
    assert is_compiled(hash_random)


def test_a_kernel_that_was_not_called_is_neither():
    maybe_compiled(hash_random, fast=True)(1, 2)
    assert not is_loaded(never_called)
    assert not is_compiled(never_called)


def test_the_first_choice_of_a_process_does_not_wait_for_the_compiler(monkeypatch):
    def compiles(function, *, fast):
        assert not fast, f"{function.__name__} is compiled"
        return function

    game = Game("open", "proagent", "switching", fast=True)
    monkeypatch.setattr(base, "is_loaded", lambda _: False)
    monkeypatch.setattr(base, "maybe_compiled", compiles)
    layout, state = game.kitchen.layout, game.kitchen.state
    first = base.Observation(0, layout, None, state, NO_SKILL, 0, NO_SKILL, fast=True)
    assert SKILL_STAY in first.feasible()
    with pytest.raises(AssertionError, match="feasible_targets is compiled"):
        first._replace(before=state).feasible()
