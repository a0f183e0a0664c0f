"""Where options come from beside the command line: the variables ``BBA_*``, and the file of ``--config`` below them.

Both may hold any option of any command. What is wrong with one of them is said whatever the command is.
"""

import os
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import create_model
from pydantic_settings import BaseSettings, EnvSettingsSource

from bba.config import Options
from bba.errors import BBAError, instead
from bba.files import parse_toml
from tui.arguments.command import SHORT
from tui.arguments.options import GROUPS, OPTION_FIELDS

PREFIX = "BBA_"
KEYS_TABLE = "keys"  # the table in a file that assigns keys (human.keymap); not an option
Model = TypeVar("Model", bound=Options)


@cache
def any_option() -> type[Options]:
    """Returns the model of all options of all commands."""
    models = tuple(chain.from_iterable(GROUPS.values()))
    return create_model("AnyOption", __base__=models)


def as_settings(model: type[Options]) -> type[BaseSettings]:
    """Returns a model for the sources of pydantic-settings, which look at its fields alone."""
    return cast("type[BaseSettings]", model)


def values_outside(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options in the environment and in the file of ``--config``, as they are written there.

    Args:
        typed: the options of the command line, which may name the file.

    Raises:
        BBAError: the file cannot be read, is not TOML, or holds an unknown option.
        SettingsError: a variable for several values is not JSON.
    """
    variables: dict[str, Any] = {}
    # An environment without these variables need not be looked through for each option, which takes 4 ms.
    if any(name.upper().startswith(PREFIX) for name in os.environ):
        variables = EnvSettingsSource(as_settings(any_option()), env_prefix=PREFIX)()
    config = typed.get("config", variables.get("config"))
    if config is None:
        return variables
    return merged(_in_file(Path(str(config))), variables)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of two sources together; of those of both the second counts, and of mappings each entry."""
    values = {**below, **above}
    for name in below.keys() & above.keys():
        if isinstance(below[name], dict) and isinstance(above[name], dict):
            values[name] = {**below[name], **above[name]}
    return values


def _in_file(path: Path) -> dict[str, Any]:
    """Returns the options in a TOML file, by field."""
    allowed = OPTION_FIELDS.keys() - {"config"} | {KEYS_TABLE}
    options = {}
    for key, value in parse_toml(path).items():
        name = SHORT.get(key, key.replace("-", "_"))
        if name not in allowed:
            raise BBAError(f"{path}: {key}: unknown option; {instead(name, sorted(allowed))}")
        if name != KEYS_TABLE:
            options[name] = value
    return options


def completed(model: type[Model], values: Mapping[str, Any]) -> Model:
    """Returns options with these values; what they leave open is as the environment says, else at its default.

    Raises:
        ValidationError: a value is not allowed.
    """
    outside = {name: value for name, value in values_outside(values).items() if name in model.model_fields}
    return model.model_validate(merged(outside, values))
