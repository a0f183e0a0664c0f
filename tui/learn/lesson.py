"""The way through Learn: a lesson of ten stages, then two minutes beside an agent; and the card that says what to do by
which key.

There its mind is open: the card points at what it believes, and says when it notices a change.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from textual.app import App
from textual.content import Content

from bba import palette
from bba.agents import HUMAN
from bba.analysis import Advice, Snapshot, names
from bba.kitchen import Layout, constants
from bba.language import say
from bba.play.trace import PARTNER, Trace
from human.keymap import Keymap
from human.lesson import FIRE_WORK, BeliefLesson, BelievedRole, Notice, Phase, next_thing
from human.session import Session
from human.study import PERSON_SEAT, STAGES, TutorialProgress, practice_session
from tui.arguments import completed
from tui.arguments.options import WatchedGame
from tui.game_factory import SessionRequest, session_request
from tui.playback.clock import COUNTDOWN
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.tour import EXPLAINED
from tui.study.game import LessonPanel, PracticeScreen, StudyTitle
from tui.style import shown
from tui.widgets import DECLARATIONS, CommitmentGatePanel, GatePanel, HowToPanel, Panel, Part, fitting, line, tile_name

KEY_CAP = f"bold {palette.BACKGROUND} on {palette.WARN}"
_KEYS = {
    constants.NORTH: "second_north",
    constants.SOUTH: "second_south",
    constants.EAST: "second_east",
    constants.WEST: "second_west",
    constants.INTERACT: "interact",
}


class Card(NamedTuple):
    """What a card says.

    Attributes:
        title: its title.
        text: the instruction, a sentence or two.
        next_step: the next thing in a few words, the longest wording first; empty for none.
        key: the key for it, as a key cap; "" for none.
    """

    title: str
    text: str
    next_step: tuple[str, ...] = ()
    key: str = ""


class CardPanel(Panel):
    """The instruction, then the next thing to do with the key that does it."""

    TITLE = "card"
    ABOUT = "What to do now, and the key for it."

    card = Card("", "")

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the card knows
        """Returns the card's title."""
        return self.card.title

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - the card knows
        """Yields the instruction, then the next thing; where not all fits, a key to press comes first."""
        text = [line((part, f"bold {palette.TEXT}")) for part in wrap(self.card.text, width)]
        height = self.content_size.height
        if not self.card.next_step or (not self.card.key and len(text) >= height):
            return text
        cap: list[Part] = []
        if self.card.key:
            cap = [(f" {self.card.key} ", KEY_CAP), "  "]
        room = width - line(*cap).cell_length
        next_step = line(*cap, (fitting(room, *self.card.next_step), palette.WARN))
        return [*text[: max(0, height - 1)], next_step]


def key_for(action: int, keymap: Keymap) -> str:
    """Returns the key for a primitive action, as people write it; "" for STAY."""
    return shown(keymap[_KEYS[action]][0]) if action in _KEYS else ""


def next_step(layout: Layout, advice: Advice) -> tuple[str, ...]:
    """Returns the next thing on the way to a skill, the longest wording first; nothing without a target."""
    if advice.target is None:
        return ()
    name = tile_name(layout, advice.target)
    place = f" ({advice.target[0]},{advice.target[1]})"
    if advice.action == constants.ACTION_STAY and advice.skill != constants.SKILL_STAY:
        return (
            say("the other cook is in the way of the {tile}: wait a moment", tile=name + place),
            say("wait: no way to the {tile}", tile=name),
        )
    wordings = (_next_step(advice, name + place), _next_step(advice, name))
    if advice.skill != constants.PUT_DOWN_OBJECT:
        return wordings
    return (*(say("put it down: {way}", way=wording) for wording in wordings), wordings[-1])


def in_the_way(snapshot: Snapshot, seat: int) -> str:
    """Returns what is said in the place of an instruction to a person who has to put something down first."""
    held = names.item(snapshot.scene.players[seat].held)
    return say("You hold something that is not needed now ({thing}): put it down.", thing=held)


def _next_step(advice: Advice, tile: str) -> str:
    if advice.skill == constants.SKILL_STAY:
        return say("wait for the {tile}", tile=tile)
    if advice.distance:
        tiles = say("1 tile") if advice.distance == 1 else say("{number} tiles", number=advice.distance)
        return say("{tiles} to the {tile}", tiles=tiles, tile=tile)
    if advice.action == constants.INTERACT:
        return say("use the {tile}", tile=tile)
    return say("turn to the {tile}", tile=tile)


LESSON_STEPS = 1200  # two minutes
WORK = "Do one kind of work for a while. Your partner reads each of your steps: see the bars."
BURNS = "Something burns. Take the extinguisher and put the fire out, before it spoils more."
PHASE_TITLES = {Phase.WORK: "work beside an agent", Phase.CHANGE: "it believed", Phase.NOTICED: "it noticed"}


class BeliefLessonScreen(PlayScreen):
    """Plays beside an agent whose belief and gate are shown; dismissed at the end.

    Args:
        session: the game: a believing agent in seat 0, the person in seat 1.
        keymap: the keys of every action.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    SITUATION = "in the lesson's second part"

    LEAVING = "End this part?", "End it", "Go on"

    def __init__(self, session: Session, keymap: Keymap, *, countdown: int = COUNTDOWN, motion: bool = True) -> None:
        super().__init__(session, countdown=countdown, show_belief=True, show_hint=False, motion=motion)
        self.lesson = BeliefLesson(session.trace)
        self._keymap = keymap
        self._withheld = {"hint", "mind", "skills", "declare"}  # the card stands for hints, and the mind is to be seen
        self._status.leave_out(hints=True, declares=True)
        self._below = CardPanel()
        self._card = self._below

    def _end(self) -> None:
        self._save()
        self.dismiss()

    def _step(self) -> None:
        super()._step()
        self.lesson.see()
        self._show_panels()

    def _show_advice(self) -> None:
        """Says what to do, or what the agent believes or has noticed; points at the panel that shows it."""
        self._card.card, advice = beside_card(self.lesson, self.snapshot, self._keymap)
        self._kitchen.target = advice.target
        by_gate = self.lesson.notice is not None and self.lesson.notice.contradiction is not None
        for panel in self._belief_panels:
            panel.set_class(isinstance(panel, GatePanel | CommitmentGatePanel) == by_gate, EXPLAINED)


def beside_card(lesson: BeliefLesson, snapshot: Snapshot, keymap: Keymap) -> tuple[Card, Advice]:
    """Returns the card, and the way to what can be done: it says what, or what the agent believed or has noticed."""
    rounds = lesson.finished_rounds + (lesson.phase is not Phase.NOTICED)
    config = snapshot.config
    title = f"round {rounds}: {PHASE_TITLES[lesson.phase]}"
    advice = lesson.suggestion()
    following = next_step(config.layout, advice)
    key = key_for(advice.action, keymap)
    if lesson.notice is not None:  # all of it is read before any key
        theta = config.belief_config.gate.theta_obs if config.belief_config else 0.0
        return Card(title, noticed(lesson.notice, theta), following), advice
    text = BURNS if advice.skill in FIRE_WORK else WORK
    if advice.skill == constants.PUT_DOWN_OBJECT:
        text = in_the_way(snapshot, PARTNER)
    if lesson.phase is Phase.CHANGE and lesson.believed is not None:
        text = believes(lesson.believed)
    return Card(title, text, following, key), advice


def believes(belief: BelievedRole) -> str:
    """Returns what the agent believes, and what to do about it."""
    guess = f"you {DECLARATIONS[belief.role]}, {belief.probability:.0%} in step {belief.step}"
    return f"Its guess (standing still counts, too): {guess}. Now do something else."


def noticed(notice: Notice, theta: float) -> str:
    """Returns how the agent noticed a change, in a few sentences, given the threshold θ of its gate."""
    steps = "1 step" if notice.steps == 1 else f"{notice.steps} steps"
    moment = f"In step {notice.after.step}, after {steps},"
    if notice.contradiction is None:
        return (
            f"{moment} it believed that you {DECLARATIONS[notice.after.role]} ({notice.after.probability:.0%}). "
            "Its gate had stayed shut."
        )
    fit = f"ℓ {names.number_against_limit(notice.contradiction, theta)} < θ {theta:g}"
    misfit = f"{moment} its gate opened: what you did hardly fitted ({fit}). It thought again and"
    if notice.dropped == notice.skill:
        return f"{misfit} kept {names.skill_doing(notice.skill)}."
    return f"{misfit} left {names.skill_doing(notice.dropped)} for {names.skill_doing(notice.skill)}."


WALK_KEYS = (constants.NORTH, constants.SOUTH, constants.WEST, constants.EAST)


class LessonSession(Session):
    """A session that leaves no recording."""

    def save(self) -> None:
        """Writes nothing."""


class LessonScreen(PracticeScreen):
    """Leads through the lesson; dismissed when it is done, left or begun anew (then `anew` is set).

    Args:
        session: the game of the lesson.
        keymap: the keys of every action.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    SITUATION = "in the lesson"

    LEAVING = "Leave the lesson?", "Leave", "Go on"

    def __init__(self, session: Session, keymap: Keymap, *, countdown: int = COUNTDOWN, motion: bool = True) -> None:
        super().__init__(session, TutorialProgress(session.trace.start), countdown=countdown, motion=motion)
        self._keymap = keymap
        self._title = StudyTitle("learn: make a burrito")
        self._withheld |= {"skills", "declare"}
        self._below = CardPanel()
        self._card = self._below
        self._panels = (LessonPanel(self.progress, in_full=False), self._status, HowToPanel())

    @property
    def finished(self) -> bool:
        """Whether the burrito is served."""
        return self.progress.done == len(STAGES)

    def _show_advice(self) -> None:
        if not self.finished:
            self._card.card, advice = stage_card(self.progress, self.snapshot, self._keymap)
            self._kitchen.target = advice.target


def stage_card(progress: TutorialProgress, snapshot: Snapshot, keymap: Keymap) -> tuple[Card, Advice]:
    """Returns the card of the current stage with the next thing to do, and the way to that."""
    layout = snapshot.config.layout
    state = snapshot.trace.state(snapshot.step)
    advice = next_thing(layout, state, PERSON_SEAT, progress.done)
    stage = STAGES[progress.done]
    place = {"stage": progress.done + 1, "stages": len(STAGES)}
    title = say("{stage} of {stages}: {title}", title=say(stage.title), **place)
    if progress.done == 0:
        tiles = progress.tiles_left
        keys = " ".join(key_for(action, keymap) for action in WALK_KEYS)
        more = say("1 more tile") if tiles == 1 else say("{number} more tiles", number=tiles)
        return Card(title, say(stage.text), (more,), keys), advice
    text = in_the_way(snapshot, PERSON_SEAT) if advice.skill == constants.PUT_DOWN_OBJECT else say(stage.text)
    return Card(title, text, next_step(layout, advice), key_for(advice.action, keymap)), advice


NEXT = (
    "Your first burrito! Now work for two minutes beside an agent that tries to make out what you do. Its mind lies "
    "open: what it believes of you, and when it changes its plan for it. There are as many rounds as fit in."
)
PLAY_NOW = "{key} plays a game of your own: four minutes."


def what_came_of_it(trace: Trace, lesson: BeliefLesson) -> str:
    """Returns what came of the game beside the agent, before the sentences of its debriefing."""
    reached = f"That was Learn: {trace.score} points together, rounds finished: {lesson.finished_rounds}."
    return f"{reached} Your partner has nothing but your steps."


class LessonEnd(NamedTuple):
    """The end of Learn.

    Attributes:
        screen: the second part, which is over.
        request: a first game of one's own, for whoever wants it.
    """

    screen: BeliefLessonScreen
    request: SessionRequest

    @property
    def opening(self) -> str:
        """What came of it, with which the debrief begins."""
        return what_came_of_it(self.screen.session.trace, self.screen.lesson)


async def learn(app: App[Any], keymap: Keymap, *, motion: bool) -> LessonEnd | None:
    """Leads through Learn, screen by screen, to its debrief; returns None if it was left before the second part.

    Raises:
        BBAError: the recording of the second part cannot be written.
    """
    if not await _lesson(app, keymap, motion=motion) or not await app.push_screen_wait(_question(NEXT, yes="Go on")):
        return None
    game = completed(WatchedGame, {"partner": HUMAN, "horizon": LESSON_STEPS})
    session = session_request(game).make(keymap)
    screen = BeliefLessonScreen(session, keymap, motion=motion)
    await app.push_screen_wait(screen)
    return LessonEnd(screen, session_request(completed(WatchedGame, {"partner": HUMAN})))


def _question(text: str, *, yes: str) -> ConfirmDialog:
    """Returns the question whether to go on, which comes by itself when a part has ended."""
    return ConfirmDialog(text, yes=yes, no="To the menu", careful=False, asked_for=False)


async def _lesson(app: App[Any], keymap: Keymap, *, motion: bool) -> bool:
    """Shows the lesson, as often as it is begun anew; returns whether it was finished."""
    while True:
        screen = LessonScreen(practice_session(Path(os.devnull), LessonSession), keymap, motion=motion)
        await app.push_screen_wait(screen)
        if not screen.anew:
            return screen.finished
