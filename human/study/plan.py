"""The plan of a study (docs/use/studies.md) and its design: factors, groups, the order of games, practice and breaks.

`human.study.plan_file` reads it from a TOML file.
"""

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from bba.agents import HUMAN
from bba.analysis.measures import EPISODE_MEASURES
from bba.bench.names import check_agent_names, known_layouts
from bba.config import EPISODE_DEFAULTS, Seed, Steps
from bba.errors import instead, problem_of_seeds
from bba.language import Language
from human.study.information_pages import InformationPage
from human.study.instrument_scores import InstrumentScore
from human.study.model import ConsistentModel, EachOnce, LongText, Problem, ShortText, StudyModel
from human.study.online import Online
from human.study.questionnaire import MEASURED, SurveyQuestion, When
from human.study.tutorial import STAGES

FactorName = Literal["layouts", "agents", "hints", "speed"]
Speed = Annotated[float, Field(ge=1, le=50)]  # steps a second


class FactorLevels(NamedTuple):
    """The levels of every factor, as one group meets them."""

    layouts: tuple[str, ...]
    agents: tuple[str, ...]
    hints: tuple[bool, ...]
    speed: tuple[float, ...]

    @property
    def games(self) -> int:
        """The number of games: each level of each factor with each of the others."""
        return prod(len(levels) for levels in self)


class Factors(StudyModel):
    """The levels of factors beside kitchens and agents; a factor that is not named has the study's one value.

    Attributes:
        hints: whether participants see one useful next thing.
        speed: steps a second.
    """

    hints: Annotated[tuple[bool, ...], Field(max_length=2), EachOnce] = ()
    speed: Annotated[tuple[Speed, ...], Field(max_length=8), EachOnce] = ()


class PracticeRule(StudyModel):
    """What participants must have learned before the games, and what happens if they have not.

    Attributes:
        stages: of the tutorial, how many must be completed; 0: any number.
        tries: how often they may try; a try is what is not yet met of the tutorial, and all questions of practice.
        otherwise: what happens after the last try: they are excluded, or go on all the same.
        instructions: a text that is shown before the questions of practice, at every try; None for none.
    """

    stages: Annotated[int, Field(ge=0)] = 0
    tries: Annotated[int, Field(ge=1, le=20)] = 3
    otherwise: Literal["exclude", "go-on"] = "exclude"
    instructions: LongText | None = None


class BreakRule(ConsistentModel):
    """Breaks between games.

    Attributes:
        every: a break comes after so many games.
        shortest: seconds before participants can go on.
        longest: seconds after which the study goes on without being asked; less than the idle limit of a served study.
    """

    every: Annotated[int, Field(ge=1)] = 1
    shortest: Annotated[float, Field(ge=0, le=600)] = 0.0
    longest: Annotated[float, Field(gt=0, le=600)] = 120.0

    def _problems(self) -> Iterator[Problem]:
        if self.shortest > self.longest:
            yield ["shortest"], f"{self.shortest:g} is more than longest, {self.longest:g}"


class ExclusionRules(StudyModel):
    """The table `[exclude]`: who does not count, by rule; a rule that is not named excludes nobody.

    Attributes:
        attention: attention checks that may be failed.
        focus_lost: times that the window may lose the keyboard in games.
        interruptions: of all games that may be.
        idle: share of the steps of games that may pass without an action, 0 to 1.
        straight_lining: so many scales at one point of the study, all answered alike, are too many.
        page_seconds: seconds that a question's page takes at least, in the median.
    """

    attention: Annotated[int, Field(ge=0)] | None = None
    focus_lost: Annotated[int | None, Field(ge=0, alias="focus-lost")] = None
    interruptions: Annotated[int, Field(ge=0)] | None = None
    idle: Annotated[float, Field(ge=0, le=1)] | None = None
    straight_lining: Annotated[int | None, Field(ge=3, alias="straight-lining")] = None
    page_seconds: Annotated[float | None, Field(gt=0, alias="page-seconds")] = None


class Analysis(StudyModel):
    """What a study is to show, and how: planned before there are data, said in the preregistration.

    Attributes:
        hypotheses: each in a sentence.
        outcome: a measure of games, or the name of a score or of a question after games whose answers have a mean.
        test: "paired" for participants' differences, "mixed" for games with a random intercept for each participant,
            "independent" where each participant meets one of the two conditions.
        compare: the two agents that are compared; None for the study's first two.
        smallest_effect: of interest, in standard deviations.
        alpha: the level of the two-sided test.
        power: that is wanted.
    """

    hypotheses: tuple[LongText, ...] = ()
    outcome: ShortText = "reward"
    test: Literal["paired", "mixed", "independent"] = "paired"
    compare: Annotated[tuple[str, ...], Field(min_length=2, max_length=2)] | None = None
    smallest_effect: Annotated[float | None, Field(gt=0, le=10, alias="smallest-effect")] = None
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    power: Annotated[float, Field(gt=0, lt=1)] = 0.8


MAX_GAMES = 24  # games of one participant
MOST_PARTICIPANTS = 1_000_000  # for whom there are seeds

Seeds = Literal["kitchen", "participant", "game"]
Names = Annotated[tuple[str, ...], Field(min_length=1), EachOnce]


class Condition(NamedTuple):
    """One game that every participant of a group plays: the layout, the agent in seat 0, the seed.

    Attributes:
        hints: whether the participant sees one useful next thing.
        speed: steps a second.
    """

    layout: str
    agent: str
    seed: int
    hints: bool = False
    speed: float = 10.0


class Study(ConsistentModel):
    """A study: every participant plays once with each level of each factor that is not in `between`.

    Attributes:
        name: the name of the study and of its folder of results.
        title: the heading that participants read.
        consent: the text to which participants must agree.
        language: of everything that the program itself says to participants.
        layouts: the layouts.
        people: how many people play: one beside an agent, or two with one another, each at their own screen.
        agents: the agents in seat 0; for two people it is left out.
        pages: pages of its own before, between and after the games.
        questions: the questions before, between and after the games.
        scores: what the answers to its blocks of questions make together.
        tutorial: whether participants begin with the tutorial.
        seed: the first seed.
        seeds: whether each kitchen has a seed, the same for all agents and participants; or each participant and
            kitchen; or each pair of kitchen and agent, as studies had it that began with an earlier version.
        horizon: steps of a game.
        speed: steps a second.
        turns: whether the game waits for a key in every step.
        hints: whether participants see one useful next thing, which they can hide.
        skills: whether participants may choose a skill that the program then carries out for them.
        factors: levels of hints and speed where there are several.
        between: the factors of which each participant meets one level only; the others are within participants.
        order: how a participant's games follow one another.
        practice: what participants must have learned before the games.
        breaks: breaks between games.
        wait: of two people, seconds to wait for the other one.
        complete: after so many complete participants the study ends; None: never.
        replace_after: hours without a sign after which a participant's place is given again; None: never.
        consent_version: the version of the consent text, noted with each consent.
        ask_again: whether who has withdrawn is asked for consent again.
        online: where participants come from a recruiting platform.
        analysis: what is planned to be shown, and how.
        exclude: who does not count, by rule.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: ShortText
    consent: LongText
    language: Language = "en"
    layouts: Annotated[Names, AfterValidator(known_layouts)]
    people: Literal[1, 2] = 1
    agents: Names
    pages: tuple[InformationPage, ...] = ()
    questions: tuple[SurveyQuestion, ...] = ()
    scores: tuple[InstrumentScore, ...] = ()
    tutorial: bool = True
    seed: Seed = 0
    seeds: Seeds = "kitchen"
    horizon: Steps = EPISODE_DEFAULTS.horizon
    speed: Annotated[float, Field(ge=1, le=50)] = 10.0
    turns: bool = False
    hints: bool = False
    skills: bool = False
    factors: Factors = Factors()
    between: Annotated[tuple[FactorName, ...], EachOnce] = ()
    order: Literal["latin", "random", "fixed"] = "latin"
    practice: PracticeRule | None = None
    breaks: BreakRule | None = None
    complete: Annotated[int, Field(ge=1)] | None = None
    wait: Annotated[float, Field(ge=1, le=3600)] = 300.0
    replace_after: Annotated[float, Field(ge=0.1)] | None = Field(None, alias="replace-after")
    consent_version: Annotated[ShortText | None, Field(alias="consent-version")] = None
    ask_again: Annotated[bool, Field(alias="ask-again")] = False
    online: Online | None = None
    analysis: Analysis = Analysis()
    exclude: ExclusionRules = ExclusionRules()

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        filled = dict(data)
        if data.get("people") == 2:
            filled.setdefault("agents", [HUMAN])
        analysis = filled.get("analysis", {})
        if "agents" in filled.get("between", ()) and isinstance(analysis, dict):
            filled["analysis"] = {"test": "independent", **analysis}
        return filled

    @field_validator("agents")
    @classmethod
    def _check_agents(cls, agents: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        paired = info.data.get("people") == 2
        if paired and agents != (HUMAN,):
            raise ValueError("two people play with one another; leave it out")
        if not paired:
            check_agent_names(agents)
        return agents

    def _problems(self) -> Iterator[Problem]:
        seed_problem = problem_of_seeds(self.seed, self._seeds_needed)
        if seed_problem:
            yield ["seed"], seed_problem
        games = self.groups[0].games
        if games > MAX_GAMES:
            yield [], f"the factors make {games} games each; at most {MAX_GAMES}"
        if self.people == 2 and self.turns:
            yield ["turns"], "two people play against the clock; leave it out"
        for factor in self.between:
            levels = getattr(self.levels, factor)
            if len(levels) < 2:
                yield ["between"], f"{factor} has one level, so that no groups differ by it"
        for key in ("pages", "questions", "scores"):
            names = [entry.name for entry in getattr(self, key)]
            for position, name in enumerate(names):
                if name in names[:position]:
                    yield [key, position, "name"], f"{name} is there twice"
        yield from self._condition_problems()
        yield from self._score_problems()
        yield from self._practice_problems()
        yield from self._analysis_problems()

    def asked_when(self, score: InstrumentScore) -> When:
        """Returns when the items of a score are asked."""
        return next(question.when for question in self.questions if question.name == score.items[0])

    def _condition_problems(self) -> Iterator[Problem]:
        """Yields the questions on whose answers another question depends, and which are not asked before it."""
        for position, question in enumerate(self.questions):
            points = (question.when, "start")
            earlier = [candidate.name for candidate in self.questions[:position] if candidate.when in points]
            for name in question.show_if:
                if name not in earlier:
                    yield ["questions", position, "show-if"], f"{name}: is not asked before this question"

    def _score_problems(self) -> Iterator[Problem]:
        scales = [question for question in self.questions if question.type in ("scale", "slider")]
        when = {question.name: question.when for question in scales}
        for position, score in enumerate(self.scores):
            point = when.get(score.items[0])
            for name in (*score.items, *score.reversed):
                if name not in score.items or name not in when or when[name] != point:
                    message = f"{name}: no item; items are scales and sliders that are asked at the same point"
                    yield ["scores", position], message

    def _analysis_problems(self) -> Iterator[Problem]:
        outcomes = list(EPISODE_MEASURES)
        for question in self.questions:
            if question.when == "after-game" and question.type in MEASURED:
                outcomes.append(question.name)
        for score in self.scores:
            if self.asked_when(score) == "after-game":
                outcomes.append(score.name)
        outcome = self.analysis.outcome
        if outcome not in outcomes:
            yield ["analysis", "outcome"], f"{outcome}: {instead(outcome, outcomes)}"
        for agent in self.analysis.compare or ():
            if agent not in self.agents:
                yield ["analysis", "compare"], f"{agent}: {instead(agent, self.agents)}"
        if self.analysis.test != "independent" and "agents" in self.between:
            yield ["analysis", "test"], 'each participant meets one agent; it is "independent"'

    def _practice_problems(self) -> Iterator[Problem]:
        has_questions = False
        for position, question in enumerate(self.questions):
            if question.when != "practice":
                continue
            has_questions = True
            place: list[str | int] = ["questions", position]
            if self.practice is None:
                yield [*place, "when"], "there is no [practice] that says how many tries there are"
            if question.expect is None:
                yield [*place, "expect"], "missing; in practice it says which answer is right"
        if self.practice is None:
            return
        stages = self.practice.stages
        if stages > 0 and not self.tutorial:
            yield ["practice", "stages"], "there is no tutorial that has stages"
        if stages > len(STAGES):
            yield ["practice", "stages"], f"the tutorial has {len(STAGES)} stages"
        if stages == 0 and not has_questions:
            yield ["practice"], 'no criterion: neither stages nor a question with when = "practice"'

    @property
    def levels(self) -> FactorLevels:
        """The levels of every factor."""
        hints = self.factors.hints or (self.hints,)
        speed = self.factors.speed or (self.speed,)
        return FactorLevels(self.layouts, self.agents, hints, speed)

    @property
    def groups(self) -> tuple[FactorLevels, ...]:
        """What each group of participants meets; one group if every factor is within participants."""
        choices = []
        for factor, levels in self.levels._asdict().items():
            if factor in self.between:
                choices.append([(level,) for level in levels])
            else:
                choices.append([levels])
        return tuple(FactorLevels(*group) for group in product(*choices))

    def group_name(self, group: int) -> str | None:
        """Returns what a group has that others have not, as ``agents=bayes hints=True``; None if there is one group."""
        if not self.between:
            return None
        levels = self.groups[group]
        parts = []
        for factor in self.between:
            [level] = getattr(levels, factor)
            parts.append(f"{factor}={level}")
        return " ".join(parts)

    def conditions(self, number: int, group: int = 0) -> tuple[Condition, ...]:
        """Returns the games of participant `number` (from 0) of a group in the order of the file."""
        conditions = []
        for layout, agent, hints, speed in product(*self.groups[group]):
            seed = self.seed + self._seed_offset(number, layout, agent)
            conditions.append(Condition(layout, agent, seed, hints, speed))
        return tuple(conditions)

    def speed_of(self, condition: Condition) -> float | None:
        """Returns the steps a second of a game; None if it waits for a key in every step."""
        if self.turns:
            return None
        return condition.speed

    @property
    def _seeds_needed(self) -> int:
        """How many seeds its games have, from `seed` on; where each participant has own ones, those of very many."""
        kitchens = len(self.layouts)
        needed: dict[Seeds, int] = {
            "kitchen": kitchens,
            "participant": kitchens * MOST_PARTICIPANTS,
            "game": kitchens * len(self.agents),
        }
        return needed[self.seeds]

    def _seed_offset(self, number: int, layout: str, agent: str) -> int:
        kitchen = self.layouts.index(layout)
        cook = self.agents.index(agent)
        offsets: dict[Seeds, int] = {
            "kitchen": kitchen,
            "participant": number * len(self.layouts) + kitchen,
            "game": kitchen * len(self.agents) + cook,
        }
        return offsets[self.seeds]
