"""The base class of option models, and how one model's values are taken from another's.

Named settings: an option whose value stands for several parameters at once.

The parameters of a named setting are defaults: a parameter that is given beside it, from whatever source, counts. To
add one, add it to `NAMED_GROUPS` under its option and its name to the option's type; another option of this kind is
another entry of `NAMED_GROUPS` and another field of `NamedOptions`.

The options that several packages share: of episodes, of planners, and of the language model behind one.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic.fields import FieldInfo

from bba.errors import LARGEST_SEED, BBAError
from bba.validation import Model, PluginText, problem_with

# Ranges of numbers, and names, that several options and files share.
MOST_STEPS = 1_000_000
Share = Annotated[float, Field(ge=0, le=1)]
Steps = Annotated[int, Field(ge=1, le=MOST_STEPS)]
StepsOrNone = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
ThemeName = Literal["dark", "light", "contrast"]
Workers = Annotated[int, Field(ge=1, le=10_000)]
EngineName = Literal["local", "ray"]
BuiltInTrigger = Literal["gate", "commitment", "periodic", "completion-held", "judge", "value", "never"]
TriggerName = BuiltInTrigger | PluginText
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0.1, le=100_000)]  # more than the day that a batch may take
Dollars = Annotated[float, Field(gt=0, le=1e6)]
Trimmed = Annotated[str, StringConstraints(strip_whitespace=True)]  # what is pasted brings spaces and line ends


def _trimmed_key(key: SecretStr | None) -> SecretStr | None:
    if key is None:
        return None
    return SecretStr(key.get_secret_value().strip())


Key = Annotated[SecretStr | None, AfterValidator(_trimmed_key)]
CacheMode = Literal["off", "read", "write", "only"]
Knowledge = Literal["role", "rule", "policy"]  # what an oracle tells of a partner; the policy is all of it


def refused(name: str, model: type[BaseModel], error: ValidationError) -> BBAError:
    """Returns what is wrong with options as one line: which, and what is allowed, or the nearest names.

    Args:
        name: what the options are called.
        model: their model.
        error: what its validation found; the values are not repeated, since one may be a key.
    """
    return BBAError(f"{name}: {problem_with(model, error)}")


class Options(BaseModel):
    """A frozen group of options; an unknown name is an error.

    Raises:
        BBAError: a value that is not allowed, or a name that is not a field, with the nearest ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), defer_build=True)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise refused(type(self).__name__, type(self), error) from None

    # The validation of a model that holds this one as a field goes on without a call, and names the field's place.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


def select(model: type[Model], values: Mapping[str, Any]) -> Model:
    """Builds a model from those of `values` that are its fields.

    Raises:
        BBAError: a value is out of range, or a required one is missing.
    """
    chosen = {name: values[name] for name in model.model_fields if name in values}
    return _validated(model, chosen)


def changed(model: Model, changes: Mapping[str, Any]) -> Model:
    """Copies a model with other values of some of its fields, and checks them (`model_copy` does not).

    Raises:
        BBAError: a value is out of range, or a name is not a field.
    """
    return _validated(type(model), {**dict(model), **changes})


def _validated(model: type[Model], values: Mapping[str, Any]) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise refused(model.__name__, model, error) from None


def type_of(field: FieldInfo) -> Any:
    """The type of a field together with its range."""
    if not field.metadata:
        return field.annotation
    return Annotated[field.annotation, *field.metadata]


CommitmentName = Literal["selective", "responsive"]
BeliefName = Literal["preprint", "skills", "types", "propensities", "population"]
ReadingName = Literal["ours", "preprint"]


class NamedOptions(Options):
    """The options whose values are named settings; None for the parameters' own defaults."""

    commitment: CommitmentName | None = Field(
        None, description="commitment gate: selective (few replans) or responsive (many; rollout's)"
    )
    belief: BeliefName | None = Field(
        None,
        description="belief: over roles (the preprint's), over skills, over who the partner is (types), over that and "
        "what it tends to do (propensities; rollout's), or none of this partner (population)",
    )
    reading: ReadingName | None = Field(
        None, description="belief and gate: ours, or every formula as the preprint has it (preprint)"
    )


# option: name: values of parameters; a later option counts before an earlier one. Measured in docs/results/belief.md.
NAMED_GROUPS: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "commitment": {
            "selective": {
                "commitment_ratio": 2.3,
                "commitment_conf": 0.35,
                "commitment_cooldown": 10,
                "renewal": "completion",
            },
            "responsive": {
                "commitment_ratio": 1.0,
                "commitment_conf": 0.3,
                "commitment_cooldown": 3,
                "renewal": "decision",
            },
        },
        "belief": {
            "preprint": {},
            "types": {"psi": "skills", "epsilon": 0.1, "floor": 0.02, "prior": "types"},
            "propensities": {"psi": "skills", "epsilon": 0.1, "floor": 0.02, "prior": "propensities"},
            "population": {"psi": "skills", "epsilon": 0.1, "floor": 0.02, "prior": "population"},
            "skills": {"psi": "skills", "epsilon": 0.1, "floor": 0.02, "hazard": 0.02, "prior": "preferences"},
        },
        "reading": {
            "ours": {},
            "preprint": {
                "contradiction_factors": "absolute",
                "support_as": "exponent",
                "infeasible": "kept",
                "posterior_actions": "segment",
                "floor": 0.0,
                "hazard": 0.0,
                "prior": "counts",
            },
        },
    }
)


# planner: the named settings that are its defaults; those of other planners are the parameters' own defaults.
DEFAULTS_OF_PLANNER: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"rollout": {"belief": "propensities", "commitment": "responsive"}}
)


def expanded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values with those of the named settings among them; a parameter that is given itself keeps its value.

    An option of `NAMED_GROUPS` that is None or that names no setting stands for nothing.
    """
    chosen: dict[str, Any] = {}
    for option, settings in NAMED_GROUPS.items():
        name = values.get(option)
        if isinstance(name, str):
            chosen |= settings.get(name, {})
    return {**chosen, **values}


class EpisodeOptions(Options):
    """How long an episode lasts and how freely its agents move."""

    horizon: Annotated[Steps, Field(description="steps of a game")] = 2400
    mobility: Annotated[Share, Field(description="chance that an agent's step is carried out")] = 0.35


EPISODE_DEFAULTS = EpisodeOptions()


class SkillOptions(Options):
    """How long a skill may last."""

    skill_timeout: Annotated[Steps, Field(description="steps after which a skill ends unfinished")] = 30


SKILL_TIMEOUT = SkillOptions().skill_timeout


PromptLayout = Literal["preprint", "cached", "strict"]


ConditionName = Literal["ours", "preprint"]


class _TurnOptions(Options):
    history_turns: Annotated[int, Field(ge=0, le=100, description="planner: earlier turns sent along, at most")] = 3
    retries: Annotated[int, Field(ge=0, le=100, description="planner: re-asks after an unusable answer")] = 3


class ChatOptions(_TurnOptions):
    """What was sent to a planner, as files keep it; those of earlier versions have the preprint's places."""

    prompt_layout: PromptLayout = "preprint"


Ask = Literal["changed", "always"]


class PlannerOptions(_TurnOptions):
    """How and when a planner is asked; `bba.agents.waiting` says what counts as a change.

    What is None depends on the planner: `bba.agents.seat.SeatSpec` says how.
    """

    prompt_layout: Annotated[
        PromptLayout | None,
        Field(
            description="planner: cached: what never changes first, to be cheaper (a language model's default); "
            "preprint: in the preprint's places (any other's); strict: the preprint's content, in our words"
        ),
    ] = None
    ask: Annotated[
        Ask | None,
        Field(
            description="planner: when a waiting cook asks again: changed, only if something changed (the default), or "
            "always, in every step (that of strict prompts)"
        ),
    ] = None


PLANNER_DEFAULTS = PlannerOptions()
USUAL_ASK: Ask = "changed"
REAL_TIME = False  # by default a live game waits while a language model answers


def _in_points(cost: Any) -> Any:
    """Returns a cost in points; "0.02usd@50" is 0.02 dollars at 50 points a dollar."""
    dollars, unit, rate = str(cost).partition("usd")
    try:
        points_a_dollar = float(rate.removeprefix("@")) if unit else 1.0
        return float(dollars) * points_a_dollar
    except ValueError:
        raise ValueError("should be points, or dollars with points a dollar, as 0.02usd@50") from None


class RolloutOptions(Options):
    """How many futures the rollout planner plays, and how long they are.

    With a budget in milliseconds it plays as many as fit, so that a game depends on how fast the machine is.
    """

    futures: Annotated[int, Field(ge=2, le=100_000, description="planner rollout: futures of each skill, at most")] = 48
    future_steps: Annotated[int, Field(ge=1, le=2400, description="planner rollout: steps of a future")] = 300
    candidates: Annotated[int, Field(ge=1, le=27, description="planner rollout: skills that it compares")] = 6
    least_probability: Annotated[
        float, Field(gt=0, le=1, description="planner rollout: what the network must give a skill for a comparison")
    ] = 0.001
    margin: Annotated[
        float, Field(ge=0, le=10, description="planner rollout: standard errors by which another skill must be better")
    ] = 1.0
    prior_weight: Annotated[
        float,
        Field(ge=0, le=100, description="planner rollout: points that a skill loses per nat of the network's doubt"),
    ] = 1.0
    replan_cost: Annotated[
        float,
        BeforeValidator(_in_points),
        Field(
            ge=0,
            le=1000,
            description="trigger value: points by which another skill must pay to interrupt; 0.02usd@50 is in dollars, "
            "with points a dollar",
        ),
    ] = 0.5
    budget_ms: Annotated[
        float | None,
        Field(gt=0, le=60_000, description="planner rollout: milliseconds of a decision instead of --futures"),
    ] = None


ConversationName = Literal["grow", "roll"]
AnswerForm = Literal["text", "choice", "scores"]


class LanguageModelOptions(Options):
    """A model, its endpoint, and how far a run may go with it.

    The turns sent along grow up to `history_turns` and then begin anew, so that what was sent stays the beginning of
    what is sent next; as `roll` they are always the last ones. An answer of None is that of the planner.

    `deadline` counts from asking to giving up, waiting between attempts included; that of a model on this machine is
    longer by default (`bba.planner.model_options.LOCAL_DEADLINE`). A game ends after `give_up_after`
    decisions in a row without a usable answer, or after 45 seconds, or `deadline` if that is longer. The limits
    `max_calls`, `max_total_tokens` and `max_cost` hold for a whole run; None for no limit.
    """

    model: Trimmed = Field(
        "gpt-4o", description="language model: its name at the endpoint; with litellm as anthropic/NAME"
    )
    base_url: Trimmed | None = Field(None, description="language model: an endpoint, as http://localhost:11434/v1")
    reasoning_effort: Annotated[str, Field(pattern="^[a-z]{1,20}$")] | None = Field(
        None, description="language model: how much it thinks, as low or high"
    )
    top_p: Annotated[float, Field(gt=0, le=1)] | None = Field(None, description="language model: nucleus sampling")
    model_seed: Annotated[int, Field(ge=0, lt=2**31)] | None = Field(
        None, description="language model: the seed that it is sent"
    )
    conversation: ConversationName | None = Field(
        None,
        description="language model: earlier turns that are sent: grow, then begin anew (the default); or "
        "the last ones (that of strict prompts)",
    )
    answer: AnswerForm | None = Field(
        None, description="language model: free text, a choice among feasible skills (local's default), or scores"
    )
    score_temperature: Annotated[float, Field(ge=0, le=100)] = Field(
        0.0, description="language model: for --answer scores: 0 takes the likeliest skill, more draws one"
    )
    threads: Count | None = Field(None, description="planner local: threads, if not one a core")
    context: Count | None = Field(None, description="planner local: tokens that the model reads, of each slot")
    slots: Count | None = Field(None, description="planner local: questions at the same time")
    structured: bool = Field(False, description="language model: ask for plans as JSON, where it takes response_format")
    extra_body: str | None = Field(None, description="language model: JSON object added to the body of requests")
    extra_headers: str | None = Field(
        None, description="language model: JSON object of headers; $NAME is a variable of the environment"
    )
    max_tokens: Count = Field(1024, description="language model: length of an answer")
    deadline: Seconds = Field(45.0, description="language model: seconds after which a question is given up")
    attempts: Count = Field(5, description="language model: requests for one answer, failed ones included")
    give_up_after: Count = Field(3, description="language model: decisions in a row without an answer that end a game")
    concurrency: Count = Field(4, description="language model: requests at the same time")
    rpm: Count | None = Field(None, description="language model: requests a minute, in all processes of a run")
    tpm: Count | None = Field(None, description="language model: tokens a minute, sent and received")
    max_calls: Count | None = Field(None, description="language model: requests in all")
    max_total_tokens: Count | None = Field(None, description="language model: tokens in all, sent and received")
    max_cost: Dollars | None = Field(None, description="language model: US dollars in all")
    prices: Path | None = Field(None, description="TOML file with prices to use instead of the shipped ones")
    cache: CacheMode | None = Field(
        None,
        description="stored answers: read uses them, write adds to them (given no mode: if paid for), only never asks",
    )
    cache_file: Path | None = Field(None, description="where answers are stored, if not in the platform's cache folder")
    model_log: Path | None = Field(None, description="add every exchange with the model to this file, as JSON Lines")
