"""Whether a kernel is compiled on this machine, and loaded in this process."""

from bba.kernels import is_compiled, is_loaded, maybe_compiled
from bba.kitchen.rules import hash_random


def never_called(number: int) -> int:
    return number + 1


def test_a_kernel_is_loaded_once_it_has_been_called_compiled():
    maybe_compiled(hash_random, fast=True)(1, 2)
    assert is_loaded(hash_random)
    assert is_compiled(hash_random)
    assert is_compiled()


def test_a_kernel_that_was_not_called_is_neither():
    maybe_compiled(hash_random, fast=True)(1, 2)
    assert not is_loaded(never_called)
    assert not is_compiled(never_called)
