"""Measures what thinking time costs in real time: games of `bayes` whose planner's answers come so many steps later.

The planner is the scripted one, so that only the delay differs; 10 steps are a second on the screen by default. With 0
the world waits. Run it from the root: python -m benchmarks.thinking_time
"""

import argparse
import sys

from bba.agents import Decision, EpisodeContext, Observation, load_agent
from bba.agents.async_agent import AsyncAgent, apply_late, waiting_decision
from bba.analysis.measures import measure
from bba.kitchen.constants import STEP
from bba.play import Game

DELAYS = (0, 3, 10, 20, 30, 50)  # steps
MEASURES = ("reward", "deliveries", "orders_expired", "planner_calls", "replans", "recovery")


class LateAgent(AsyncAgent):
    """Decides as `AsyncAgent` does in real time, but an answer of its planner takes a number of steps, not seconds.

    Args:
        name: the agent.
        delay: steps from a question to its answer, 0 or more.
    """

    def __init__(self, name: str, delay: int) -> None:
        super().__init__(load_agent(name))
        self._delay = delay
        self._late: tuple[int, Decision] | None = None

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        super().reset(context)
        self._late = None

    def decide(self, observation: Observation) -> Decision:
        """Returns the decision, that of so many steps ago if a planner was asked for it."""
        step = int(observation.state[STEP])
        if self._late is None:
            decision = self._agent.copy().decide(observation)
            if not decision.calls or self._delay == 0:
                return decision
            self._late = step + self._delay, decision
        due, decision = self._late
        if step < due:
            return waiting_decision(observation)
        self._late = None
        return apply_late(decision, observation)


def main() -> None:
    """Prints a row for each delay and seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, help="so many games for each delay")
    parser.add_argument("--delays", type=int, nargs="+", default=DELAYS, help="in steps")
    chosen = parser.parse_args()
    sys.stdout.write("\t".join(("delay", "seed", *MEASURES)) + "\n")
    for seed in range(chosen.seeds):
        for delay in chosen.delays:
            trace = Game("open", LateAgent("bayes", delay), "switching", seed, fast=True).run()
            values = measure(trace)
            row = (delay, seed, *(values[name] for name in MEASURES))
            sys.stdout.write("\t".join(str(value) for value in row) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
