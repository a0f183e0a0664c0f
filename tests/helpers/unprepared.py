"""Agents that have to be prepared before they can decide, as those that compile kernels, but when a test lets them."""

import threading

from bba.agents import SwitchingPartner
from bba.errors import BBAError
from tests.helpers.wait_for_idle import PATIENCE


class UnpreparedPartner(SwitchingPartner):
    """A switching partner that is ready once it has been prepared, which takes until `go_on` is set."""

    def __init__(self, problem: str | None = None):
        super().__init__()
        self.ready, self.go_on, self._problem = False, threading.Event(), problem

    def prepare(self):
        assert self.go_on.wait(PATIENCE)
        if self._problem is not None:
            raise BBAError(self._problem)
        self.ready = True

    def decide(self, observation):
        assert self.ready, "it was asked before it was ready"
        return super().decide(observation)
