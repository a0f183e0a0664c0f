"""Makes of options what an agent takes, with the language model that plans for it."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from bba.agents import MODEL_PLANNERS, SeatSpec
from bba.annexes import from_annex
from bba.config import BELIEF_OPTIONS, REAL_TIME, LanguageModelOptions, RolloutOptions, changed, select
from bba.errors import BBAError
from bba.files import read_toml
from bba.planner.model_options import ModelOptions
from bba.settings import PlayerOptions, Secrets


def agent_options(options: PlayerOptions, *, live: bool = False, real_time: bool = REAL_TIME) -> SeatSpec:
    """Returns what the ego takes; `live` and `real_time` as in `make_game`."""
    model = model_options(options) if options.planner in MODEL_PLANNERS else None
    belief_fields = options.model_fields_set & BELIEF_OPTIONS
    return SeatSpec(
        planner=options.planner,
        model=model,
        prompts=options.prompts,
        history_turns=options.history_turns,
        retries=options.retries,
        prompt_layout=options.prompt_layout,
        ask=options.ask,
        trigger=options.trigger,
        live=live,
        real_time=real_time,
        weights=options.weights,
        rollout=select(RolloutOptions, dict(options)),
        belief_changes={name: getattr(options, name) for name in belief_fields},
        agent_options=options.agent_option,
        planner_options=options.planner_option,
        trigger_options=options.trigger_option,
        partner_model=options.partner_model,
        partner_model_options=options.partner_model_option,
    )


def model_options(options: PlayerOptions) -> ModelOptions:
    """Returns the options of the language model, with the key and, without --base-url, the address of the environment.

    Raises:
        BBAError: an invalid name or address, or a missing key.
    """
    secrets = Secrets.model_validate({})
    provider = options.planner
    if provider == "litellm":  # which finds keys and addresses of providers by itself
        return select(ModelOptions, {**dict(options), "key": secrets.own_key, "provider": provider})
    if provider == "local":
        if "model" not in options.model_fields_set:
            raise BBAError("--model: missing; --planner local takes a GGUF file or a name that bba-tui models lists")
        values = {**dict(options), "base_url": None, "provider": provider}
        if "deadline" not in options.model_fields_set:
            del values["deadline"]  # that of such a model is another one than that of the options
        located: ModelOptions = from_annex("bba.llm.local_models:located")(select(ModelOptions, values))
        return located
    base_url = options.base_url or secrets.base_url
    return select(ModelOptions, {**dict(options), "key": secrets.api_key, "base_url": base_url})


class ModelEntry(LanguageModelOptions):
    """A language model in a file of --models: its options as on the command line, and where its key is.

    Attributes:
        planner: what asks it, as `--planner`; None for that of the command line.
        key_env: the variable of the environment with its key. A model with an address of its own is sent no other one.
    """

    planner: Literal["openai", "litellm"] | None = None
    key_env: str | None = None


def options_by_model(options: PlayerOptions, models: str | None) -> dict[str, SeatSpec]:
    """Returns what the ego takes with each language model of --models, by name; without --models, the one there is.

    Args:
        options: those of the command.
        models: the names, or a file; None for the model of the options.

    Raises:
        BBAError: a file that cannot be read, an invalid name or address, or a missing key.
    """
    if models is None:
        return {options.model: agent_options(options)}
    names = [name.strip() for name in models.split(",")]
    if models.endswith(".toml"):
        entries = read_toml(Path(models), dict[str, ModelEntry])
    elif all(names):
        entries = dict.fromkeys(names, ModelEntry.model_validate({}))
    else:
        raise BBAError(f"--models: got {models!r}; it should be names, with commas between them")
    planner = options.planner if options.planner in MODEL_PLANNERS else MODEL_PLANNERS[0]
    by_model: dict[str, SeatSpec] = {}
    for name, entry in entries.items():
        changes = {"planner": planner, "model": name}
        changes |= entry.model_dump(exclude_unset=True, exclude={"key_env"})
        seat_options = agent_options(options.model_copy(update=changes))
        if seat_options.model and (entry.key_env or entry.base_url):
            key = None
            if entry.key_env:
                key = SecretStr(os.environ.get(entry.key_env.strip(), ""))
            seat_options = replace(seat_options, model=changed(seat_options.model, {"key": key or None}))
        by_model[seat_options.model.model if seat_options.model else name] = seat_options
    return by_model
