"""The prompt that a language model would have been sent is, word for word, the one that a planner is sent."""

import pytest

from bba.agents import SeatSpec, load_agent
from bba.analysis.call_log import unsent_prompt
from bba.config import BeliefConfig
from bba.planner import Prompts
from bba.play import Game, Replay, record


@pytest.mark.exhaustive
@pytest.mark.parametrize("agent", ["bayes", "bayes-no-prompt", "proagent"])
@pytest.mark.parametrize("psi", ["roles", "skills"])
def test_it_is_what_a_planner_was_sent_in_that_step_but_for_its_earlier_turns(agent, psi):
    options = SeatSpec(history_turns=2, belief_config=BeliefConfig.of({"psi": psi, "gamma_conf": 0.3}))
    game = Game("open", load_agent(agent, options), "proagent", 2, horizon=150)
    trace = Replay(record(game.run())).run()
    for player in (0, 1):
        asked = [(tick.step, tick.decisions[player].plan) for tick in trace.ticks if tick.decisions[player].plan]
        assert len(asked) > 5
        for step, call in asked:
            system, question = unsent_prompt(trace, step, player, Prompts.load())
            sent = call.messages[: 2 + 2 * call.turns]
            assert (system, question) == (sent[0], sent[-1])
