"""The prompt that a language model would have been sent at a step that another planner decided."""

from bba.agents.base import Observation
from bba.agents.planning import VARIANTS
from bba.agents.prompt_planner import planner_input
from bba.agents.skill_planner import PartnerBelief
from bba.analysis.snapshot import hypotheses_of
from bba.kitchen import constants
from bba.planner import Message, Prompts
from bba.play.trace import Trace


def unsent_prompt(trace: Trace, step: int, player: int, prompts: Prompts) -> tuple[Message, Message]:
    """Returns the system prompt and the question that a model in a player's place would have been asked in a step.

    Earlier turns of the chat are not part of it: no model has answered them.

    Args:
        trace: the game.
        step: the step of the decision, from 1.
        player: the seat of an agent with a planner.
        prompts: the templates.
    """
    variant, observation = VARIANTS[trace.config_at(step).seats[player].agent], _observation(trace, step, player)
    told = _belief(trace, step, player) if variant.belief_in_prompt else None
    asked = planner_input(observation, told)
    return (
        Message(role="system", content=prompts.system(variant.kind, asked)),
        Message(role="user", content=prompts.user(asked, variant.kind)),
    )


def _observation(trace: Trace, step: int, player: int) -> Observation:
    """Returns what a player saw before a step, as one that has to choose a skill."""
    before, state = (trace.ticks[n - 1].state if n else trace.start for n in (max(step - 2, 0), step - 1))
    skill, age, ended = constants.NO_SKILL, 0, constants.DONE
    return Observation(player, trace.config.layout, before if step > 1 else None, state, skill, age, ended, fast=False)


def _belief(trace: Trace, step: int, player: int) -> PartnerBelief | None:
    belief = trace.ticks[step - 1].decisions[player].belief
    config = trace.config_at(step).seats[player].belief_config
    if belief is None or config is None:
        return None
    return PartnerBelief(hypotheses_of(belief), belief, config.gate.gamma_conf)
