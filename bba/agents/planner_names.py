"""The planners by name, and what a name says of a planner."""

from bba.plugins import is_plugin_name

ROLLOUT = "rollout"
PLANNERS = {
    "scripted": "embedded and deterministic; reads the prompt, needs no key and no network",
    "openai": "a language model behind an OpenAI-compatible endpoint; see --model and --base-url",
    "litellm": "a language model of any provider that LiteLLM knows: pip install 'bba-tui[litellm]'; see --model",
    "local": "a language model on this machine: pip install 'bba-tui[local]'; see --model and bba-tui models",
    ROLLOUT: "simulates what each skill leads to, given the belief; needs no key and no network",
}
MODEL_PLANNERS = ("openai", "litellm", "local")  # planners that are language models
SCRIPTED = "scripted"
KEYLESS = (SCRIPTED, ROLLOUT)  # planners that need no model and no key
SIMULATING = ("bayes-value",)  # agents for which the rollout planner plans in the place of the scripted one
MODEL_SIGN = "@"  # between an agent and what plans for it alone


def own_planner(agent: object, planner: str) -> str:
    """Returns what plans for an agent where this planner is named: the scripted one says nothing to some of them."""
    if planner == SCRIPTED and agent in SIMULATING:
        return ROLLOUT
    return planner


def is_plugin_planner(name: str) -> bool:
    """Whether a planner does not ship with the project."""
    return name not in PLANNERS and is_plugin_name("planner", name)


def pays(planner: str) -> bool:
    """Whether a planner asks a language model at an endpoint, with prices and limits; a plug-in does as it likes."""
    return planner not in KEYLESS and not is_plugin_planner(planner)


def model_of(planner: str | None) -> str | None:
    """Returns the language model of a planner, by the planner's name in results; None if it is none."""
    kind, _, model = (planner or "").partition(":")
    return model if model and kind in MODEL_PLANNERS else None
