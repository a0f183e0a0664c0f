"""Settings of an experiment, each declared once: name, type, range, default and help, on one field of one model.

`belief` holds the parameters of filter and gates, `options` those of planners and episodes, and the named settings that
stand for several. Command line, environment, TOML files, sweeps, recordings, screens, exports and documents read these
fields. Imports pydantic only, so that `--help` is quick.
"""

from bba.config.belief import (
    BELIEF_OPTIONS,
    PARAMETERS,
    TUNABLE_PARAMETERS,
    BeliefConfig,
    CommitmentConfig,
    FilterConfig,
    GateConfig,
    Parameter,
    ParameterInfo,
    differences,
    markdown_table,
)
from bba.config.options import (
    EPISODE_DEFAULTS,
    NAMED_GROUPS,
    PLANNER_DEFAULTS,
    AnswerForm,
    Ask,
    ChatOptions,
    ConversationName,
    EpisodeOptions,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    PromptLayout,
    RolloutOptions,
    SkillOptions,
    changed,
    expanded,
    select,
    type_of,
)

__all__ = [
    "BELIEF_OPTIONS",
    "EPISODE_DEFAULTS",
    "NAMED_GROUPS",
    "PARAMETERS",
    "PLANNER_DEFAULTS",
    "TUNABLE_PARAMETERS",
    "AnswerForm",
    "Ask",
    "BeliefConfig",
    "ChatOptions",
    "CommitmentConfig",
    "ConversationName",
    "EpisodeOptions",
    "FilterConfig",
    "GateConfig",
    "LanguageModelOptions",
    "NamedOptions",
    "Options",
    "Parameter",
    "ParameterInfo",
    "PlannerOptions",
    "PromptLayout",
    "RolloutOptions",
    "SkillOptions",
    "changed",
    "differences",
    "expanded",
    "markdown_table",
    "select",
    "type_of",
]
