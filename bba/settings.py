"""Every option once: default < file (``--config``) < environment (``BBA_*``) < command line."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bba.errors import BBAError
from bba.files import parse_toml
from bba.limits import (
    Alpha,
    Floor,
    OpenShare,
    Psi,
    Scale,
    Seed,
    Share,
    Steps,
    StepsOrNone,
    Weight,
    Window,
)

SHORT = {"json": "as_json", "list": "list_all"}  # options whose names a field cannot have


class Settings(BaseSettings):
    """Watch BayesBeliefAgent cook with a partner that changes its mind, or run the same game without a screen."""

    model_config = SettingsConfigDict(env_prefix="BBA_", extra="forbid", hide_input_in_errors=True, frozen=True)

    layout: str = Field("open", description="kitchen: a name (see --list) or a .toml file")
    agent: str = Field("bayes", description="who plays player 0, the ego")
    partner: str = Field("switching", description="who plays player 1")
    schedule: str | None = Field(None, description="roles of the switching partner, as 0:prep_rice,120:serve")
    planner: str = Field("scripted", description="what plans for language-model agents")
    prompts: Path | None = Field(None, description="folder of prompt templates to use instead of the shipped ones")
    seed: Seed = Field(0, description="of everything random")
    seeds: Annotated[int, Field(ge=1, le=10_000)] = Field(1, description="with --headless: so many games, seed by seed")
    horizon: Steps = Field(2400, description="steps of an episode")
    mobility: Share = Field(0.35, description="chance that an agent's step is carried out")
    speed: Annotated[float, Field(ge=1, le=50)] = Field(10.0, description="steps a second on the screen")

    headless: bool = Field(False, description="play without a screen and print a summary")
    as_json: bool = Field(False, description="with --headless: print one JSON object")
    record: Path | None = Field(None, description="write the game to this file")
    replay: Path | None = Field(None, description="show the game in this file")
    list_all: bool = Field(False, description="print the layouts, agents and planners there are")
    config: Path | None = Field(None, description="TOML file with any of these options")
    version: bool = Field(False, description="print the version")

    theta_obs: Share = Field(0.04, description="gate: product of likelihoods below which actions contradict the belief")
    gamma_conf: Share = Field(0.65, description="gate: confidence from which the belief counts")
    stability: StepsOrNone = Field(3, description="gate: updates for which the MAP must have stayed")
    cooldown: StepsOrNone = Field(6, description="gate: steps after a replan without another")
    window: Window = Field(10, description="gate: how many last actions it looks at")
    psi: Psi = Field("roles", description="belief: over six roles or over 22 skills")
    alpha: Alpha = Field(1.0, description="belief: weight of the uniform prior")
    epsilon: OpenShare = Field(0.3, description="belief: how often any action may come")
    support_weight: Weight = Field(0.35, description="belief: weight of putting down")
    likelihood_scale: Scale = Field(1.0, description="belief: power of the likelihoods")
    floor: Floor = Field(0.24, description="belief: share that stays with all hypotheses")
    skill_timeout: Steps = Field(30, description="steps after which a skill ends unfinished")
    history_turns: Annotated[int, Field(ge=0, le=100)] = Field(3, description="planner: earlier turns sent along")
    retries: Annotated[int, Field(ge=0, le=100)] = Field(3, description="planner: re-asks after an unusable answer")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The file comes last: it is overruled by the environment and the command line, which may name it."""
        return init_settings, env_settings, _ConfigFile(settings_cls)


class _ConfigFile(PydanticBaseSettingsSource):
    """The TOML file that the ``config`` option of a source above names."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Not used: the file is read as a whole."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The options in the file, by name.

        Raises:
            BBAError: the file cannot be read, is not TOML, or holds an unknown option.
        """
        named = self.current_state.get("config")
        if named is None:
            return {}
        path = Path(str(named))
        known = set(Settings.model_fields) - {"config"}
        data = {}
        for key, value in parse_toml(path).items():
            name = SHORT.get(key, key.replace("-", "_"))
            if name not in known:
                raise BBAError(f"{path}: {key}: unknown option; there are {', '.join(sorted(known))}")
            data[name] = value
        return data
