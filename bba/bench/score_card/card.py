"""Frozen benchmarks: protocols, each a file in `configs/protocols` that is never edited, and the score cards of agents.

A card is JSON with a checksum. `docs/results/leaderboard.md` describes both; a schema of cards ships as well.

The checksum tells a damaged card from a whole one. It is no signature: who changes a card on purpose can compute it
again, which is why `bba.bench.score_card.check` works out the means anew and plays games again.
"""

import json
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import Field, model_validator

from bba.agents import OWN_POLICY, Profile, SeatSpec
from bba.analysis import RULE_1_NAMES
from bba.bench.episode import PlannerSettings, weights_digest
from bba.bench.names import Name, OneLine
from bba.bench.presets import Sweep
from bba.bench.sweep_parts import PartnerSettings
from bba.config import EpisodeOptions, Options, Seed, Share, SkillOptions
from bba.errors import BBAError, instead, problem_of_seeds, seeds_from
from bba.files import data_dir, hex_digest, read_bytes, read_toml
from bba.kitchen import Layout, layout_digest
from bba.validation import PlainText, checked

PROTOCOL_FOLDER = "configs/protocols"
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class ProtocolSize(Options):
    """How many games a size of a protocol has: `seeds` for each kitchen and partner, from `first_seed` on."""

    first_seed: Seed
    seeds: Annotated[int, Field(ge=1, le=10_000)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        problem = problem_of_seeds(self.first_seed, self.seeds)
        if problem:
            raise ValueError(problem)
        return self


class Protocol(SkillOptions, EpisodeOptions):
    """A frozen benchmark: its games and its measures, which are those of `bba.analysis.measures`.

    Attributes:
        version: the name of its file.
        title: what it asks, one line.
        layouts: names of kitchens.
        partners: the players of seat 1: groups of partners by name.
        horizon, mobility, skill_timeout, partner_settings: as in `bba.bench.presets.Sweep`.
        measures: those of a card.
        scoring: the rule by which gap rate, Comp@3 and duplicates are scored (docs/reference/measures.md).
        sizes: by name.
        kitchens: the digest of each kitchen.
        weights: the digest of the weights of all partners in all kitchens.
    """

    version: Name
    title: OneLine
    layouts: Annotated[tuple[Name, ...], Field(min_length=1)]
    partners: Annotated[dict[Name, tuple[OneLine, ...]], Field(min_length=1)]
    partner_settings: dict[Name, PartnerSettings] = Field(default_factory=dict)
    measures: Annotated[tuple[Name, ...], Field(min_length=1)]
    scoring: Literal[1, 2] = 1
    sizes: Annotated[dict[Name, ProtocolSize], Field(min_length=1)]
    kitchens: dict[Name, str]
    weights: str

    @cached_property
    def digest(self) -> str:
        """16 hex digits: the digest of everything in its file."""
        text = json.dumps(self.model_dump(mode="json", exclude_unset=True), sort_keys=True, ensure_ascii=False)
        return hex_digest(text.encode())

    def measured_as(self, name: str) -> str:
        """Returns the measure of `bba.analysis.measures` that one of its measures is by its scoring rule."""
        return RULE_1_NAMES.get(name, name) if self.scoring == 1 else name

    def size(self, name: str) -> ProtocolSize:
        """Returns a size by name.

        Raises:
            BBAError: there is no such size.
        """
        if name not in self.sizes:
            raise BBAError(f"{self.version}: no size {name!r}; {instead(name, self.sizes)}")
        return self.sizes[name]

    def sweep(self, size: str, agent: str) -> Sweep:
        """Returns the games of an agent as a sweep.

        Raises:
            BBAError: there is no such agent or size.
        """
        games = self.size(size)
        if agent == OWN_POLICY:
            raise BBAError(f"{self.version}: {agent} is another agent beside each partner; name one, as bp:G1-1")
        fields = {"title", "layouts", "partners", "partner_settings", "horizon", "mobility", "skill_timeout"}
        values = self.model_dump(include=fields) | games.model_dump()
        values["name"] = f"{self.version}-{size}"
        values["agents"] = [agent]
        return checked(Sweep, values, self.version)

    def places(self, size: str) -> set[tuple[str, str, str, int]]:
        """Returns layout, group, partner and seed of every game of a size."""
        games = self.size(size)
        seeds = seeds_from(games.first_seed, games.seeds)
        places = set()
        for group, partners in self.partners.items():
            for layout, partner, seed in product(self.layouts, partners, seeds):
                places.add((layout, group, partner, seed))
        return places

    def check(self, weights: Path | None = None) -> None:
        """Checks that kitchens and partners are those of the protocol; `weights` is a folder of other weights.

        Raises:
            BBAError: one is not.
        """
        for name in self.layouts:
            if self.kitchens.get(name) != layout_digest(Layout.load(name)):
                raise BBAError(f"{self.version}: the kitchen {name} is not that of the protocol; it was edited")
        if partners_digest(self, weights) != self.weights:
            raise BBAError(f"{self.version}: the partners' weights are not those of the protocol")


def partners_digest(protocol: Protocol, weights: Path | None = None) -> str:
    """Returns 16 hex digits: the digest of the weights of all partners in all kitchens."""
    lines = []
    for layout, partner in product(protocol.layouts, chain(*protocol.partners.values())):
        digest = weights_digest(SeatSpec(partner, weights=weights), Layout.load(layout))
        lines.append(f"{partner} {digest}\n")
    return hex_digest("".join(lines).encode())


def protocol_names() -> list[str]:
    """Returns the names of the protocols, in alphabetical order."""
    return sorted(file.stem for file in data_dir(PROTOCOL_FOLDER).glob("*.toml"))


def load_protocol(name: str) -> Protocol:
    """Reads a protocol by name.

    Raises:
        BBAError: there is no such protocol, or a mistake in its file.
    """
    if name not in protocol_names():
        raise BBAError(f"no benchmark is named {name!r}; {instead(name, protocol_names())}")
    return read_toml(data_dir(PROTOCOL_FOLDER) / f"{name}.toml", Protocol, version=name)


CARD_VERSION: Literal[1] = 1
CARD_FORMAT: Literal["bba-score-card"] = "bba-score-card"
DECIMALS = 6  # of the numbers in a card
LEADING_KEYS = ("format", "version", "checksum", "protocol", "agent", "program", "made")  # in a file

Number = Annotated[int, Field(ge=0)] | Annotated[float, Field(allow_inf_nan=False)]
Real = Annotated[float, Field(allow_inf_nan=False)]
Total = Annotated[int, Field(ge=0)]
ShownText = Annotated[PlainText, Field(max_length=500)]


class CardProtocol(Options):
    """What was played: the name of a protocol, its size, and the digest of its file."""

    version: Name
    size: Name
    digest: Digest


class CardAgent(Options):
    """Who played seat 0.

    Attributes:
        name: as people read it, with the options of a plug-in.
        source: where it comes from: this program, or the plug-in as it was named.
        profile: what suffices to make it again; of plug-ins the digest of their source files is in it.
        planning: how its planner is asked.
        weights: the digest of its weights in each kitchen; {} for an agent that has not learned.
    """

    name: OneLine
    source: OneLine
    profile: Profile
    planning: PlannerSettings = PlannerSettings()
    weights: dict[Name, Digest] = Field(default_factory=dict)


class CardProgram(Options):
    """What the games were played with.

    Attributes:
        code: the version of the behaviour (`bba.bench.episode.code_digest`).
        versions: of this program, Python and the numeric libraries, and the `machine` in words.
    """

    code: Digest
    versions: dict[Name, ShownText]


class CardValue(Options):
    """A mean over `n` games with its 95 % interval; without any where games do not tell it (one seed, or one game)."""

    mean: Real
    low: Real | None = None
    high: Real | None = None
    n: Annotated[int, Field(ge=1)]


class CardCell(Options):
    """The means over the games of one group of partners in one kitchen, by measure."""

    layout: Name
    group: Name
    measures: dict[Name, CardValue]


class CardBelief(Options):
    """How good the agent's own belief was in one game; steps count in which the partner has a role.

    Attributes:
        steps: that count.
        right: of these, with the true role as MAP.
        log_loss: sum of −log b(true role), in nats.
        bins: for ten bins of the MAP's probability the number of steps, its sum, and the steps in which it is right.
    """

    steps: Total
    right: Total
    log_loss: Real
    bins: Annotated[tuple[tuple[Total, Real, Total], ...], Field(min_length=10, max_length=10)]


class CardEpisode(Options):
    """One game.

    Attributes:
        layout, group, partner, seed: which one.
        game: 16 hex digits: the digest of its states, actions and skills, step by step.
        seconds: that it took to play.
        decisions: the skills that the agent chose.
        followed: how many switches of the partner the agent complemented within each of `FOLLOWED` steps.
        measures: by name, those of the protocol and what planning took; without those that have no value.
        belief: how good the agent's belief was; None for an agent without one.
    """

    layout: Name
    group: Name
    partner: OneLine
    seed: Seed
    game: Digest
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    decisions: Total
    followed: tuple[Total, ...]
    measures: dict[Name, Number]
    belief: CardBelief | None = None

    @property
    def place(self) -> tuple[str, str, str, int]:
        """Layout, group, partner and seed."""
        return self.layout, self.group, self.partner, self.seed

    @property
    def title(self) -> str:
        """The place of the game in words."""
        return f"{self.layout} with {self.partner}, seed {self.seed}"


class CardCalibration(Options):
    """How good the agent's own belief was in all games.

    Attributes:
        steps: in which the partner has a role.
        accuracy: share of these with the true role as MAP.
        log_loss: mean of −log b(true role), in nats.
        error: the expected calibration error: by how much the MAP's probability and its accuracy differ.
        bins: mean probability of the MAP, its accuracy, and the number of steps, for each bin with any.
    """

    steps: Total
    accuracy: CardValue
    log_loss: CardValue
    error: Share
    bins: tuple[tuple[Share, Share, Total], ...]


class CardRecovery(Options):
    """How the agent followed the partner's switches.

    Attributes:
        switches: of the partner, in all games.
        within: share of these that the agent complemented within so many steps, before the next one.
    """

    switches: Total
    within: dict[Annotated[str, Field(pattern=r"^\d+$")], CardValue]


class CardSpeed(Options):
    """How fast the games were played, kitchen and partner included; the machine is in `program`."""

    steps: Total
    decisions: Total
    seconds: Real
    steps_a_second: Real
    decisions_a_second: Real


class CardCost(Options):
    """What the agent's planner took in all games; None where that is not known."""

    calls: Total
    prompt_tokens: Total | None = None
    completion_tokens: Total | None = None
    dollars: Real | None = None


class CardSummary(Options):
    """What follows from the games of a card.

    Attributes:
        intervals: "seeds" for Student's intervals, clustered by seed and stratified by kitchen and partner; without it
            they are bootstraps of single games, as in cards of before, which are too narrow.
        overall: the means over all games, by measure.
        cells: the means by kitchen and group.
        calibration, recovery, speed, cost: as they say.
    """

    intervals: Literal["seeds"] | None = None
    overall: dict[Name, CardValue]
    cells: tuple[CardCell, ...]
    calibration: CardCalibration | None = None
    recovery: CardRecovery
    speed: CardSpeed
    cost: CardCost


class ScoreCard(CardSummary):
    """What an agent reached in a frozen benchmark, and every game behind it. `made` is a UTC time in ISO 8601."""

    format: Literal["bba-score-card"] = CARD_FORMAT
    version: Literal[1] = CARD_VERSION
    checksum: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    protocol: CardProtocol
    agent: CardAgent
    program: CardProgram
    made: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")]
    episodes: Annotated[tuple[CardEpisode, ...], Field(min_length=1, max_length=100_000)]

    @property
    def summary(self) -> CardSummary:
        """The part of the card that follows from its games."""
        return CardSummary.model_validate({name: getattr(self, name) for name in CardSummary.model_fields})


def checksum(card: dict[str, Any]) -> str:
    """Returns the checksum of a card as JSON: BLAKE2b, 16 bytes, of all but itself, keys sorted, without spaces."""
    data = {key: value for key, value in card.items() if key != "checksum"}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hex_digest(text.encode(), size=16)


def sealed(values: dict[str, Any]) -> ScoreCard:
    """Returns a card of these values with its checksum."""
    card = ScoreCard.model_validate(values | {"checksum": "0" * 32})
    return card.model_copy(update={"checksum": checksum(_data(card))})


def _data(card: ScoreCard) -> dict[str, Any]:
    return card.model_dump(mode="json", by_alias=True, exclude_none=True)


def card_text(card: ScoreCard) -> str:
    """Returns a card as JSON, with a line for each part and for each game."""
    data = _data(card)
    keys = sorted(data, key=lambda key: (key not in LEADING_KEYS, key == "episodes"))
    parts = ",\n".join(f'"{key}": {_part_as_json(data[key])}' for key in keys)
    return f"{{\n{parts}\n}}\n"


def _part_as_json(value: object) -> str:
    """Returns a part of a card as JSON in one line; a list with a line for each of its values."""
    if not isinstance(value, list):
        return _compact_json(value)
    lines = ",\n".join(_compact_json(element) for element in value)
    return f"[\n{lines}\n]"


def _compact_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read_card(path: Path) -> ScoreCard:
    """Reads a card.

    Raises:
        BBAError: the file cannot be read, is no card, is of another version, or was changed after it was written.
    """
    try:
        data = json.loads(read_bytes(path), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BBAError(f"{path}: not a score card: no valid JSON") from None
    if not isinstance(data, dict) or data.get("format") != CARD_FORMAT:
        raise BBAError(f"{path}: not a score card of this program")
    if type(data.get("version")) is not int or data["version"] != CARD_VERSION:
        raise BBAError(f"{path}: score card version {data.get('version')!r}; this program reads version {CARD_VERSION}")
    if data.get("checksum") != checksum(data):
        raise BBAError(f"{path}: the card was changed after it was written: its checksum is another one")
    return checked(ScoreCard, data, f"{path}: not a whole score card")


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)
