"""What describes a game outside the code: in words of a command, in a file of options, in the environment.

Options that several packages share are declared in `bba.config`, those of the command line alone in
`tui.arguments.options`.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from bba.config import (
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    Key,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    Seed,
    SkillOptions,
    TriggerName,
    Trimmed,
)

# What some commands take without the rest of its group.
LayoutName = Annotated[str, Field(description="kitchen: a name (see bba-tui list) or a .toml file")]
AgentName = Annotated[str, Field(description="who cook 1 is, the ego: a name, or a plug-in as module:Name")]
Trigger = Annotated[
    TriggerName | None,
    Field(description="what interrupts the ego's skill, if not its agent's own trigger (bayes: gate)"),
]
Prompts = Annotated[Path | None, Field(description="folder of prompt templates to use instead of the shipped ones")]
Weights = Annotated[Path | None, Field(description="folder of learned policies' weights instead of the shipped ones")]
FirstSeed = Annotated[Seed, Field(description="random seed")]
OptionText = dict[str, bool | int | float | str | list[bool | int | float | str]]
AgentPlugin = Annotated[OptionText, Field(description="option of a plug-in --agent; may be repeated")]
PlannerPlugin = Annotated[OptionText, Field(description="option of a plug-in --planner")]
TriggerPlugin = Annotated[OptionText, Field(description="option of a plug-in --trigger")]
PartnerModel = Annotated[str | None, Field(description="a plug-in in the place of the ego's filter and gates")]
PartnerModelPlugin = Annotated[OptionText, Field(description="option of a --partner-model")]
Plugins = Annotated[
    str | None,
    Field(description="modules whose plug-ins a recording or results may name, as mine,agents.py: their code is run"),
]
ModelNames = Annotated[
    str | None,
    Field(description="these language models, as gpt-4o,gpt-5.2, or a .toml file with a table of options for each"),
]


class SeatOptions(Options):
    """The kitchen and the two cooks."""

    layout: LayoutName = "open"
    agent: AgentName = "bayes"
    partner: str = Field(
        "switching", description="who cook 2 is, its partner; bayes@MODEL is planned for by that model"
    )
    schedule: str | None = Field(None, description="roles of a switching or locked partner, as 0:prep_rice,120:serve")
    trigger: Trigger = None


class PlannedOptions(Options):
    """What plans, and from which files."""

    planner: str = Field("scripted", description="what plans for language-model agents")
    prompts: Prompts = None
    weights: Weights = None


class PluginOptions(Options):
    """Agents, planners, triggers and measures from outside this project."""

    agent_option: AgentPlugin = Field({})
    partner_option: OptionText = Field({}, description="option of a plug-in --partner")
    planner_option: PlannerPlugin = Field({})
    trigger_option: TriggerPlugin = Field({})
    partner_model: PartnerModel = None
    partner_model_option: PartnerModelPlugin = Field({})
    measures: str | None = Field(None, description="measures that are plug-ins, beside ours, as mine:idle,mine.py:late")
    plugins: Plugins = None


class BeliefOptions(FilterConfig, CommitmentConfig, GateConfig, NamedOptions):
    """The parameters of belief and gates, and the named settings that stand for several."""


class PlanningOptions(LanguageModelOptions, RolloutOptions, PlannerOptions):
    """How a planner is asked, and the language model behind it."""


class PlayerOptions(PlanningOptions, BeliefOptions, PlannedOptions):
    """What an agent is made of, whatever it plays: trigger, planner, belief, gates and plug-ins."""

    trigger: Trigger = None
    agent_option: AgentPlugin = Field({})
    planner_option: PlannerPlugin = Field({})
    trigger_option: TriggerPlugin = Field({})
    partner_model: PartnerModel = None
    partner_model_option: PartnerModelPlugin = Field({})
    plugins: Plugins = None


class GameOptions(PluginOptions, PlayerOptions, SkillOptions, EpisodeOptions, SeatOptions):
    """What describes a game."""

    seed: FirstSeed = 0
    models: ModelNames = None


class Secrets(BaseSettings):
    """Secrets, and the address of OpenAI's own tools: from the environment only, and never shown."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", hide_input_in_errors=True, frozen=True)

    own_key: Key = Field(None, validation_alias="BBA_API_KEY")
    openai_key: Key = Field(None, validation_alias="OPENAI_API_KEY")
    base_url: Trimmed | None = Field(None, validation_alias="OPENAI_BASE_URL")

    @property
    def api_key(self) -> SecretStr | None:
        """The key of an OpenAI-compatible endpoint."""
        return self.own_key or self.openai_key
