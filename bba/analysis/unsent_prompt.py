"""The prompt that a language model would have been sent at a step that another planner decided."""

from bba.agents.planning import VARIANTS
from bba.agents.prompt_planner import planner_input
from bba.agents.skill_planner import PartnerBelief
from bba.analysis.observations import observation_before
from bba.analysis.snapshot import hypotheses_of
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
    variant, observation = VARIANTS[trace.config_at(step).seats[player].agent], observation_before(trace, step, player)
    told = _belief(trace, step, player) if variant.belief_in_prompt else None
    asked = planner_input(observation, told)
    return (
        Message(role="system", content=prompts.system(variant.kind, asked)),
        Message(role="user", content=prompts.user(asked, variant.kind)),
    )


def _belief(trace: Trace, step: int, player: int) -> PartnerBelief | None:
    belief = trace.ticks[step - 1].decisions[player].belief
    config = trace.config_at(step).seats[player].belief_config
    if belief is None or config is None:
        return None
    return PartnerBelief(hypotheses_of(belief), belief, config.gate.gamma_conf)
