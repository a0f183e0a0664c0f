"""An agent that is a plug-in: what it returns is checked, and its exceptions cost one line."""

from collections.abc import Mapping
from copy import copy, deepcopy
from operator import index
from typing import Any, Self

from bba.agents.base import Decision, EpisodeContext, Observation, Profile
from bba.belief import PartnerUpdate
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.constants import ACTION_NAMES, N_SKILLS
from bba.plugins import called, lacks, load_plugin, make
from bba.plugins.options import Made

AGENT_METHODS = ("reset", "observe", "decide", "commit")  # of `bba.agents.base.Agent`


class PluginAgent:
    """Plays a seat as a plug-in decides.

    Args:
        made: the plug-in.

    Raises:
        BBAError: it lacks a method.
    """

    def __init__(self, made: Made) -> None:
        self._agent, self._name = made.target, made.used.name
        declared = getattr(self._agent, "profile", None)
        belief_config = declared.belief_config if isinstance(declared, Profile) else None
        self.profile = Profile(self._name, plugins=(made.used,), belief_config=belief_config)
        missing = lacks(self._agent, AGENT_METHODS)
        if missing:
            raise BBAError(f"{self._name}: an agent has {', '.join(AGENT_METHODS)}; it lacks {', '.join(missing)}")

    @property
    def forkable(self) -> bool:
        """Whether it can play on from the past of another game; so it can unless its `forkable` is False."""
        return bool(getattr(self._agent, "forkable", True))

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        called(f"{self._name}: reset", self._agent.reset, context)

    def observe(self, observation: Observation) -> PartnerUpdate | None:
        """Returns its belief after the step; None if it has none.

        Raises:
            BBAError: it raised an exception, or what it returned is no belief.
        """
        where = self._where("observe", observation)
        belief = called(where, self._agent.observe, observation)
        if belief is None or isinstance(belief, PartnerUpdate):
            return belief
        raise BBAError(
            f"{where}: returned {type(belief).__name__}; a bba.belief.PartnerUpdate, or None without a belief"
        )

    def decide(self, observation: Observation) -> Decision:
        """Returns its decision.

        Raises:
            BBAError: it raised an exception, or what it returned is no decision or not feasible.
        """
        where = self._where("decide", observation)
        answer = called(where, self._agent.decide, observation)
        return (
            _checked(answer, observation, where) if isinstance(answer, Decision) else _begun(answer, observation, where)
        )

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets it take over the decision of this step."""
        called(self._where("commit", observation), self._agent.commit, observation, decision)

    def copy(self) -> Self:
        """Returns an independent agent in the same state: by its own method, else a deep copy.

        Raises:
            BBAError: it cannot be copied.
        """
        other, own = copy(self), getattr(self._agent, "copy", None)
        other._agent = (
            called(f"{self._name}: copy", own) if own else called(f"{self._name}: copy", deepcopy, self._agent)
        )
        return other

    def _where(self, method: str, observation: Observation) -> str:
        return f"{self._name}: {method} in step {observation.step}"


def plugin_agent(name: str, given: Mapping[str, Any]) -> PluginAgent:
    """Returns a new agent of a plug-in with these options.

    Raises:
        BBAError: there is no such plug-in, it is no agent, or an option is not valid.
    """
    return PluginAgent(make(load_plugin("agent", name), given))


def _begun(answer: Any, observation: Observation, where: str) -> Decision:
    """Returns the decision that a number stands for: this skill begins, or goes on if it runs; None goes on, too."""
    running = observation.running
    try:
        skill = running if answer is None else index(answer)
    except TypeError:
        kind = type(answer).__name__
        raise BBAError(f"{where}: returned {kind}; a Decision, the number of a skill, or None to go on") from None
    if skill == running and running != constants.NO_SKILL:
        return Decision(running)
    return _checked(Decision(skill, chosen=True, replanned=running != constants.NO_SKILL), observation, where)


def _checked(decision: Decision, observation: Observation, where: str) -> Decision:
    """Returns a decision that can be played.

    Raises:
        BBAError: it cannot be.
    """
    skill, action = decision.skill, decision.action
    if action is not None:
        if skill == constants.NO_SKILL and action in range(len(ACTION_NAMES)):
            return decision
        raise BBAError(f"{where}: action {action} with skill {skill}; an action is 0 to 5, with skill NO_SKILL")
    if not decision.chosen and skill != observation.running:
        raise BBAError(f"{where}: skill {skill} is not the running one, {observation.running}; a new one is `chosen`")
    if skill == observation.running and skill != constants.NO_SKILL and not decision.chosen:
        return decision
    feasible = observation.feasible()
    if skill not in feasible:
        known = f"skills are 0 to {N_SKILLS - 1}" if skill not in range(N_SKILLS) else f"{_listed(feasible)} are"
        raise BBAError(f"{where}: chose skill {skill}, which is not feasible; {known}")
    return decision


def _listed(skills: tuple[int, ...]) -> str:
    return ", ".join(map(str, skills))
