"""The options by group, as the help lists them."""

from collections.abc import Mapping
from types import MappingProxyType

from bba.config import (
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
)
from bba.settings import (
    BenchmarkOptions,
    GeneralOptions,
    PlayerOptions,
    PlayOptions,
    PluginOptions,
    PromptOptions,
    ServingOptions,
    TrainingOptions,
    WatchOptions,
)

# title: the classes whose fields are the options of the group
_CLASSES: Mapping[str, tuple[type[Options], ...]] = {
    "watch": (PlayerOptions, EpisodeOptions, SkillOptions, WatchOptions),
    "play": (PlayOptions,),
    "benchmark": (BenchmarkOptions,),
    "belief and gate": (NamedOptions, GateConfig, CommitmentConfig, FilterConfig),
    "planner": (PlannerOptions, RolloutOptions),
    "language model": (LanguageModelOptions, PromptOptions),
    "studies and serving": (ServingOptions,),
    "training": (TrainingOptions,),
    "plug-ins": (PluginOptions,),
    "general": (GeneralOptions,),
}

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {title: tuple(name for one in classes for name in one.model_fields) for title, classes in _CLASSES.items()}
)
