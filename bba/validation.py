"""Checking data from outside with Pydantic: a mistake is one line that names its place.

Data are files, answers of models and options; a `model` here is a type that Pydantic can check.
"""

from typing import Annotated, TypeVar, get_args

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from bba.errors import BBAError, instead
from bba.text import without_mark

Model = TypeVar("Model", bound=BaseModel)
Data = TypeVar("Data")
# Text of a file that is shown on a terminal, which obeys control characters; and a name that may be one of a plug-in.
PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
PluginText = Annotated[str, Field(max_length=300, pattern=r"^[\w ./\\:@+~-]+$")]

PLAIN_MESSAGES = {  # by the type of a mistake, where pydantic's message is about Python
    "extra_forbidden": "unknown key",
    "unexpected_keyword_argument": "unknown key",
    "missing": "missing",
    "missing_argument": "missing",
    "tuple_type": "Input should be a list",
    "list_type": "Input should be a list",
    "dict_type": "Input should be a table of keys and values",
    "model_type": "Input should be a table of keys and values",
    "model_attributes_type": "Input should be a table of keys and values",
    "dataclass_type": "Input should be a table of keys and values",
    "string_type": "Input should be text",
}


def checked(model: type[Data] | TypeAdapter[Data], data: object, source: object) -> Data:
    """Returns data, or JSON, as a `model`; `source` names their origin in messages.

    Raises:
        BBAError: one line that names the source, the key or the place, and the problem.
    """
    try:
        adapter = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
        if isinstance(data, bytes):
            return adapter.validate_json(without_mark(data))
        if isinstance(data, str):
            return adapter.validate_json(data)
        return adapter.validate_python(data)
    except ValidationError as error:
        raise BBAError(f"{source}: {problem_with(model, error)}") from None


def problem_with(model: object, error: ValidationError) -> str:
    """Returns the first problem of a failed validation; for an unknown key with the keys near it."""
    return first_problem(error) + instead_of_key(model, error)


def instead_of_key(model: object, error: ValidationError) -> str:
    """Returns the end of the message about the first problem: the keys near an unknown one; "" for other problems.

    Args:
        model: what was validated: a model, or a type that models are part of.
        error: what Pydantic found.
    """
    problem = error.errors(include_url=False, include_input=False)[0]
    if problem["type"] != "extra_forbidden":
        return ""
    *parents, key = problem["loc"]
    owner = _model_in(model)
    for parent in parents:
        field = owner.model_fields.get(str(parent)) if owner is not None else None
        if field is not None:  # a place in a list or a table is no field
            owner = _model_in(field.annotation)
    if owner is None:
        return ""
    keys = [field.alias or name for name, field in owner.model_fields.items()]
    return f"; {instead(str(key), keys)}"


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Returns the first model in a type, such as that of the entries of a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        model = _model_in(argument)
        if model is not None:
            return model
    return None


def first_problem(error: ValidationError) -> str:
    """Returns the first problem of a failed validation as one short line: its place and a message."""
    problem = error.errors(include_url=False, include_input=False)[0]
    message = problem["msg"].removeprefix("Value error, ").replace("\n", " ")
    place = ".".join(str(part) for part in problem["loc"])
    if not place:
        return message
    message = PLAIN_MESSAGES.get(problem["type"], message)
    return f"{place}: {message}"
