"""The base class of option models, and how one model's values are taken from another's."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

Model = TypeVar("Model", bound=BaseModel)


class Options(BaseModel):
    """A frozen group of options; an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), defer_build=True)


def select(model: type[Model], values: Mapping[str, Any]) -> Model:
    """Builds a model from those of `values` that are its fields.

    Raises:
        ValidationError: a value is out of range, or a required one is missing.
    """
    return model.model_validate({name: values[name] for name in model.model_fields if name in values})


def changed(model: Model, changes: Mapping[str, Any]) -> Model:
    """Copies a model with other values of some of its fields, and checks them (`model_copy` does not).

    Raises:
        ValidationError: a value is out of range, or a name is not a field.
    """
    return type(model).model_validate({**dict(model), **changes})


def type_of(field: FieldInfo) -> Any:
    """The type of a field together with its range."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
