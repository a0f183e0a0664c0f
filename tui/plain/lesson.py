"""Learn, in lines of text: a first burrito, then a game beside an agent."""

import os
from pathlib import Path

from bba.agents import HUMAN
from bba.analysis import Advice, partner_reading, reading_sentences
from bba.language import marked, say
from human.keymap import Key, Keymap
from human.lesson import BeliefLesson
from human.session import Session
from human.study import STAGES, TutorialProgress, practice_session
from tui.arguments import completed
from tui.arguments.options import WatchedGame
from tui.game_factory import session_request
from tui.learn.lesson import (
    LESSON_STEPS,
    NEXT,
    WORK,
    Card,
    LessonSession,
    beside_card,
    stage_card,
    what_came_of_it,
)
from tui.plain.games import PLAY, Playing, run_session
from tui.plain.words import (
    Typing,
    sentence,
    tell,
    typing,
)

IN_PLAIN_MODE = {
    STAGES[0].text: marked("Walk: w north, a west, s south, d east. l says where you stand and what you face."),
    STAGES[1].text: marked("Go up to the meat, face it, and take some: u. The same key does all other work."),
    WORK: "Do one kind of work for a while. Your partner reads each of your steps: m says what it believes.",
}


class Lesson(Playing):
    """The way to a first burrito, stage by stage."""

    def __init__(self, session: Session, typed: Typing, keymap: Keymap, *, entries: tuple[Key, ...] = PLAY) -> None:
        super().__init__(session, typed, keymap, entries=entries)
        self.progress = TutorialProgress(session.trace.start)
        self._instruction = ""  # that was given last

    def seen(self) -> None:
        """Follows the stages; the last one ends the game."""
        self.progress.see(self.session.trace.ticks[-1])
        if self.progress.done == len(STAGES):
            self.session.give_up()

    def guide(self) -> None:
        """Says the instruction where that is new, then the next thing."""
        if self.session.over:
            return
        card, advice = self.card()
        if card.text != self._instruction:
            self._instruction = card.text
            tell(f"{sentence(card.title)} {say(_in_plain_mode(card.text))}")
        if card.next_step:
            tell(self.way(card.next_step, advice))

    def card(self) -> tuple[Card, Advice | None]:
        """Returns what is said: the stage, and the way to it."""
        return stage_card(self.progress, self.snapshot, self._keymap)


class BeliefLessonLines(Lesson):
    """The steps beside an agent that believes."""

    def __init__(self, session: Session, typed: Typing, keymap: Keymap) -> None:
        super().__init__(session, typed, keymap)
        self.lesson = BeliefLesson(session.trace)

    def seen(self) -> None:
        """Follows what the agent believes."""
        self.lesson.see()

    def card(self) -> tuple[Card, Advice | None]:
        """Returns what is said: what to do, or what the agent believes or has noticed."""
        return beside_card(self.lesson, self.snapshot, self._keymap)


def _in_plain_mode(instruction: str) -> str:
    """Returns what is said in the place of an instruction of the screen."""
    for on_screen, in_plain_mode in IN_PLAIN_MODE.items():
        if instruction == say(on_screen):
            return in_plain_mode
    return instruction


def learn(keymap: Keymap) -> None:
    """Leads through Learn: the lesson, then the steps beside an agent that believes.

    Raises:
        BBAError: the recording of the second part cannot be written.
    """
    with typing() as typed:
        lesson = Lesson(practice_session(Path(os.devnull), LessonSession), typed, keymap)
        run_session(lesson)
        if lesson.progress.done < len(STAGES):
            return
        tell(NEXT)
        game = completed(WatchedGame, {"partner": HUMAN, "horizon": LESSON_STEPS})
        second_part = BeliefLessonLines(session_request(game, turns=True).make(keymap), typed, keymap)
        run_session(second_part)
    trace = second_part.session.trace
    tell(what_came_of_it(trace, second_part.lesson))
    if trace.ticks:
        tell(*reading_sentences(trace, partner_reading(trace)))
    tell("A game of your own: bba-tui play --plain")
