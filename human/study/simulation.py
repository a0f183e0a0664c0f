"""Simulated participants: a study is gone through without a screen, and leaves data of the shape that people leave.

A simulated person decides as a scripted partner does, walks as the controller does, and presses the keys for it; now
and then it presses a wrong key, or none for a while. It answers questions at random. Its data are marked: a folder
holds simulated participants or people, never both. Its times are those of the machine, not those of a person.
"""

import random
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from bba.agents import Controls, EpisodeContext, Observation, Schedule, SwitchingPartner
from bba.belief import StayModel
from bba.errors import BBAError
from bba.kitchen import constants, controller, grid_of
from bba.play import Game, Tick
from human.session import Session
from human.study import (
    PERSON_SEAT,
    SLIDER_END,
    STAGES,
    Answer,
    BreakTask,
    Condition,
    FailedTryTask,
    GameLog,
    LoggedControls,
    PageTask,
    ParticipantSession,
    PlayTask,
    PracticeTask,
    QuestionTask,
    StudyFolder,
    SurveyQuestion,
    TutorialProgress,
    practice_session,
)

# share of steps with a wrong key, or where a pause begins; its steps
ERRORS = 0.03
PAUSES = 0.01
LONGEST_PAUSE = 15
ATTENTION = 0.95  # share of the questions with a right answer that get it
LESSON = ((0, 0), (150, 1), (250, 2), (350, 3), (600, 4))  # roles that lead to the tutorial's burrito
LONGEST_PRACTICE = 3_000  # steps of the tutorial, after which a person gives it up
KEYS = {
    constants.NORTH: "up", constants.SOUTH: "down", constants.EAST: "right", constants.WEST: "left",
    constants.INTERACT: "space",
}  # fmt: skip

MakeGame = Callable[[Condition, Mapping[int, Controls]], Game]


class ScriptedPerson:
    """Presses the keys for what a scripted partner would do; `pursued` is the skill it was after in each step.

    Args:
        game: the game, before its first step.
        controls: those of the person's seat.
        schedule: (step, role) at which it takes up each role; None for its own switches.
        locked: whether it keeps its role when there is nothing to do in it.
        errors, pauses: share of the steps with a wrong key, and of those in which a pause begins; 0 to 1.
        seed: of errors and pauses.
    """

    def __init__(
        self,
        game: Game,
        controls: Controls,
        schedule: Schedule | None = None,
        *,
        locked: bool = False,
        errors: float = 0.0,
        pauses: float = 0.0,
        seed: str = "",
    ) -> None:
        self.game = game
        self.controls = controls
        self.pursued: list[int] = []
        self._errors = errors
        self._pauses = pauses
        self._rng = random.Random(seed)
        self._rests = 0
        self._agent = SwitchingPartner(schedule, locked=locked)
        context = EpisodeContext(PERSON_SEAT, game.kitchen.layout, game.trace.config.seed, StayModel.NOISY, False)
        self._agent.reset(context)
        self._runs = controller.new_skill_runs((False, True))
        self._actions = np.zeros(2, np.int32)
        self._previous: NDArray[np.int32] | None = None

    def press(self) -> None:
        """Presses the key for the next step, if it wants one."""
        action = self._next_action()
        if self._rests > 0:
            self._rests -= 1
            return
        if self._rng.random() < self._pauses:
            self._rests = self._rng.randint(1, LONGEST_PAUSE)
            return
        if self._rng.random() < self._errors:
            action = self._rng.choice(list(KEYS))
        if action in KEYS:
            log = getattr(self.controls, "log", None)
            if log is not None:
                log.key(KEYS[action])
            self.controls.press(action)

    def _next_action(self) -> int:
        layout = self.game.kitchen.layout
        row = self.game.kitchen.state.copy()
        runs = self._runs
        grid = grid_of(layout)
        player = PERSON_SEAT
        controller.check_completion(grid, row, runs, player, 30)
        skill = int(runs[player, controller.SKILL])
        age = int(runs[player, controller.AGE])
        ended = int(runs[player, controller.ENDED])
        observation = Observation(player, layout, self._previous, row, skill, age, ended, False)
        self._agent.observe(observation)
        decision = self._agent.decide(observation)
        if decision.chosen:
            controller.start_skill(grid, row, runs, player, decision.skill)
        controller.next_actions(grid, row, runs, self._actions)
        self._previous = row
        self.pursued.append(int(runs[player, controller.SKILL]))
        return int(self._actions[player])


def simulate(folder: StudyFolder, code: str, make_game: MakeGame) -> None:
    """Leads a simulated participant through a study, or on from where it was stopped.

    Args:
        folder: the study's, without people.
        code: the participant's code; it decides all that is random.
        make_game: returns a game of the study before its first step.

    Raises:
        BBAError: the folder holds people's data, two people play the study, or a file cannot be written.
    """
    if folder.study.people == 2:
        raise BBAError(f"{folder.study.name}: two people play with one another, and nobody simulates such a pair")
    with folder.participation(code, simulated=True) as part:
        part.log.note("joined", detail="simulated")
        task = part.task
        while task is not None:
            match task:
                case PracticeTask():
                    _practise(part)
                case FailedTryTask(left=0):
                    part.exclude("practice")
                case FailedTryTask():
                    part.try_again()
                case QuestionTask():
                    rng = random.Random(f"{code} {task.game} {task.question}")
                    part.answer(task, answer_of(task.question, rng))
                case BreakTask() | PageTask():
                    part.begin_break(task)
                    part.end_break()
                case PlayTask():
                    _play(part, task, make_game)
            task = part.task
        part.come_to(part.ending)
        part.log.note("left", detail=part.ending)


def answer_of(question: SurveyQuestion, rng: random.Random) -> Answer:
    """Returns an answer that a question takes: mostly the right one where one is right, else one at random."""
    if question.expect is not None and rng.random() < ATTENTION:
        return question.expect
    choices = question.choices or ("",)
    points = question.points or 1
    # All kinds are drawn, whichever is asked for: a seed gives the same answers as in earlier versions.
    answers: dict[str, Answer] = {
        "scale": rng.randint(1, points),
        "slider": rng.randint(0, SLIDER_END),
        "number": _number(question, rng),
        "text": "simulated",
        "choice": rng.choice(choices),
        "choices": tuple(rng.sample(choices, rng.randint(1, len(choices)))),
    }
    return answers[question.type]


def _number(question: SurveyQuestion, rng: random.Random) -> float:
    """Returns a whole number between the limits of a question; its least one where there may be none."""
    least = 18.0
    if question.least is not None:
        least = question.least
    most = max(least, 80.0)
    if question.most is not None:
        most = question.most
    if most - least <= 1:
        return least
    number = rng.uniform(least, most)
    return float(round(min(max(number, least), most)))


def _practise(part: ParticipantSession) -> None:
    session = practice_session(part.practice_recording)
    person = _person(session, part, 0, LESSON)
    progress = TutorialProgress(session.trace.start)
    while progress.done < len(STAGES) and len(session.trace.ticks) < LONGEST_PRACTICE:
        progress.see(_step(session, person))
    session.close()
    part.end_practice(progress.done)


def _play(part: ParticipantSession, task: PlayTask, make_game: MakeGame) -> None:
    controls = {PERSON_SEAT: LoggedControls()}
    game = make_game(task.condition, controls)
    session = Session(game, controls, part.recording(task.game))
    session.path.unlink(missing_ok=True)  # one that was stopped begins again: its person has no memory
    part.begin(task, 0)
    person = _person(session, part, task.game + 1)
    while not session.over:
        _step(session, person)
    session.close()
    part.end(task, given_up=False)


def _person(session: Session, part: ParticipantSession, game: int, schedule: Schedule | None = None) -> ScriptedPerson:
    controls = session.controls[PERSON_SEAT]
    if isinstance(controls, LoggedControls):
        controls.log = GameLog(part.log, game)
    seed = f"{part.progress.participant} {game}"
    return ScriptedPerson(session.game, controls, schedule, errors=ERRORS, pauses=PAUSES, seed=seed)


def _step(session: Session, person: ScriptedPerson) -> Tick:
    person.press()
    tick = session.step()
    log = getattr(person.controls, "log", None)
    if log is not None:
        log.step(len(session.trace.ticks))
    return tick


def simulated_codes(count: int) -> list[str]:
    """Returns the codes of so many simulated participants: SIM-001 and so on."""
    return [f"SIM-{number:03}" for number in range(1, count + 1)]
