"""Every agent by name."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bba.agents.base import Agent, Tuning
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.switching import Schedule, SwitchingPartner
from bba.errors import BBAError
from bba.planner import ChatBackend, Prompts, ScriptedBackend

BACKENDS: dict[str, Callable[[], ChatBackend]] = {"scripted": ScriptedBackend}
PLANNERS = {"scripted": "embedded and deterministic; reads the prompt, needs no key and no network"}


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What agents can be set to; each agent takes what concerns it.

    Attributes:
        planner: the backend's name.
        prompts: a folder of prompt templates; None for those that ship with the project.
        history_turns: earlier turns sent to the planner.
        retries: how often an unusable answer is sent back.
        tuning: the parameters of belief and gate.
        schedule: the switching partner's roles; None draws them from the seed.
    """

    planner: str = "scripted"
    prompts: Path | None = None
    history_turns: int = 3
    retries: int = 3
    tuning: Tuning = field(default_factory=Tuning)
    schedule: Schedule | None = None


DESCRIPTIONS = {
    "bayes": "BayesBeliefAgent: belief in the prompt, gate on",
    "bayes-no-prompt": "belief tracked, gate on, prompt without it",
    "bayes-no-replan": "belief in the prompt, gate off",
    "bayes-no-belief": "neither belief nor gate",
    "proagent": "the base planner with the intention line; asks only when a skill has ended",
    "switching": "scripted partner that pursues one role at a time and switches at known steps",
}


def agent_names() -> list[str]:
    """The agents that `load_agent` knows."""
    return list(DESCRIPTIONS)


def load_agent(name: str, options: AgentOptions | None = None) -> Agent:
    """A fresh agent by name.

    Raises:
        BBAError: no such agent, planner or prompt folder.
    """
    options = options or AgentOptions()
    if name == SwitchingPartner.name:
        return SwitchingPartner(options.schedule)
    if name not in VARIANTS:
        raise BBAError(f"agent: no agent named {name!r}; there are {', '.join(DESCRIPTIONS)}")
    if options.planner not in BACKENDS:
        raise BBAError(f"planner: no planner named {options.planner!r}; there are {', '.join(BACKENDS)}")
    return PlanningAgent(
        VARIANTS[name],
        BACKENDS[options.planner](),
        Prompts.load(options.prompts),
        history_turns=options.history_turns,
        retries=options.retries,
        tuning=options.tuning,
    )
