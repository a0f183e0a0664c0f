"""Hypothetical Minds: a planner that keeps hypotheses about its partner's strategy and tests what they predict.

When it has to choose a skill it asks a model up to four things: whether the predictions of last time came true
(evaluate), for another hypothesis unless one is sure enough (generate), what each hypothesis expects next (predict),
and for the skill itself, with the hypotheses in the prompt (plan). After Cross et al., 2024, as the preprint has it.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from copy import copy
from typing import Self

from bba.agents.base import Decision, EpisodeContext, Observation, Profile, planner_input_from
from bba.agents.hypotheses import Hypothesis, HypothesisStore
from bba.agents.partner_events import describe_event
from bba.belief import BeliefConfig
from bba.config import PLANNER_DEFAULTS
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.state import STEP
from bba.planner import Aside, ChatBackend, Inquirer, Planner, PlannerInput, Prompts, QuestionKind
from bba.planner.scene_text import ACTIONS
from bba.planner.side_query_parsing import read_hypothesis, read_skills, read_truths

EVENTS = 12  # of the partner that are remembered


class HypotheticalMinds:
    """A planner with hypotheses in a seat. It is asked only when a skill has ended, as ProAgent is.

    Args:
        backend: the model that answers.
        prompts: what it is told.
        history_turns, retries: as in `Planner`.
    """

    name = "hypothetical-minds"

    def __init__(
        self,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        history_turns: int = PLANNER_DEFAULTS.history_turns,
        retries: int = PLANNER_DEFAULTS.retries,
    ) -> None:
        self.profile = Profile(self.name, backend.name)
        self._backend, self._prompts = backend, prompts
        self._history_turns, self._retries = history_turns, retries
        self._inquirer = Inquirer(backend, prompts, retries)

    def reset(self, seat: EpisodeContext) -> None:  # noqa: ARG002 - it is the same in every seat
        """Begin a game with no hypothesis and nothing seen."""
        self._planner = Planner(
            self._backend, self._prompts, kind="base", history_turns=self._history_turns, retries=self._retries
        )
        self._hypotheses = HypothesisStore()
        self._events: deque[str] = deque(maxlen=EVENTS)
        self._since: deque[str] = deque(maxlen=EVENTS)  # those of them that came after the last predictions

    def copy(self) -> Self:
        """Another one that stands where this one stands, and goes on by itself."""
        other = copy(self)
        other._planner, other._events, other._since = self._planner.copy(), self._events.copy(), self._since.copy()
        return other

    def decide(self, observation: Observation) -> Decision:
        """Go on with the running skill; with none running think about the partner, then ask for another."""
        self._watch(observation)
        if observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        situation = planner_input_from(observation)
        asides = tuple(self._think(situation))
        exchange = self._planner.decide(situation, self._preface(situation))
        return Decision(exchange.skill, chosen=True, exchange=exchange, asides=asides)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """See what it would have seen, take in what was thought, and remember what was asked and answered."""
        self._watch(observation)
        for aside in decision.asides:
            self._take_in(aside)
        if decision.exchange is not None:
            self._planner.commit(decision.exchange)

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - there is nothing to tune
        """It has hypotheses and no belief.

        Raises:
            BBAError: always.
        """
        raise BBAError(f"{self.name}: has no belief and no gate to tune")

    def _watch(self, observation: Observation) -> None:
        """Remember what the partner did at a station in the last step."""
        did = describe_event(observation.state, 1 - observation.seat)
        if did:
            event = f"  step {int(observation.state[STEP])}: {did}"
            self._events.append(event)
            self._since.append(event)

    def _think(self, situation: PlannerInput) -> Iterator[Aside]:
        """Ask what there is to ask, each question on the ground of what came of the one before."""
        if self._hypotheses.predicting and self._since:
            yield self._ask("evaluate", situation)
        if self._events and not self._hypotheses.sure:
            yield self._ask("generate", situation)
        if self._hypotheses.top:
            yield self._ask("predict", situation)

    def _ask(self, kind: QuestionKind, situation: PlannerInput) -> Aside:
        held = self._hypotheses
        aside = self._inquirer.ask(
            kind,
            situation,
            lambda answer: answer_error(kind, answer, held),
            predictions=listed(held.predicting),
            hypotheses=listed(held.top),
            events=_lines(self._events),
            seen=_lines(self._since),
        )
        self._take_in(aside)
        return aside

    def _take_in(self, aside: Aside) -> None:
        """Let an answer, the last one where it had to be asked for again, change the hypotheses."""
        self._hypotheses = update_hypotheses(self._hypotheses, aside)
        if aside.kind == "predict":
            self._since.clear()

    def _preface(self, situation: PlannerInput) -> str:
        """What the planner is told above the scene."""
        return self._prompts.hypotheses.fill(
            other_id=1 - situation.seat, hypotheses=listed(self._hypotheses.top), events=_lines(self._events)
        )


def update_hypotheses(held: HypothesisStore, aside: Aside) -> HypothesisStore:
    """The hypotheses after an answer; where it cannot be used nothing is scored and nothing is foretold."""
    match aside.kind:
        case "evaluate":
            truths = read_truths(aside.answer, len(held.predicting))
            return held if truths is None else held.evaluated(truths)
        case "generate":
            text = read_hypothesis(aside.answer)
            return held if text is None else held.proposed(text)
        case "predict":
            return held.predicted(read_skills(aside.answer, len(held.top)) or ())
        case "judge" | "late":  # of an agent in whose place this one goes on; a choice that was dropped
            return held


def answer_error(kind: QuestionKind, answer: str, held: HypothesisStore) -> str | None:
    """What keeps an answer from being used; None if nothing does."""
    match kind:
        case "evaluate" if read_truths(answer, len(held.predicting)) is None:
            return "it does not say TRUE or FALSE of every hypothesis by its number"
        case "generate" if read_hypothesis(answer) is None:
            return "it holds no hypothesis, or several"
        case "predict" if read_skills(answer, len(held.top)) is None:
            return "it does not name one skill for every hypothesis by its number"
    return None


def listed(hypotheses: Iterable[Hypothesis]) -> str:
    """Hypotheses as prompts list them: number, value, text, and what is expected, if anything is."""
    return _lines(
        f"  {number}. ({known.value:+.2f}) {known.text}"
        + ("" if known.prediction == constants.NO_SKILL else f" -> expects {ACTIONS[known.prediction]}")
        for number, known in enumerate(hypotheses, 1)
    )


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) or "  none yet"
