"""The card below the kitchen, which says what to do and by which key; and the two minutes beside an agent.

There its mind is open: the card points at what it believes, and says when it notices a change.
"""

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.advice import Advice
from bba.analysis.names import beside
from bba.analysis.snapshot import Snapshot
from bba.kitchen import Layout, constants
from bba.play.trace import PARTNER
from human.keymap import Keymap
from human.lesson import FIRE_WORK, BeliefLesson, BelievedRole, Notice, Phase
from human.session import Session
from tui.screens.play import PlayScreen
from tui.screens.play_clock import COUNTDOWN
from tui.screens.tour import EXPLAINED
from tui.style.base_app import shown
from tui.widgets.gate import CommitmentPanel, GatePanel
from tui.widgets.panel import Panel, Part, fitting, line
from tui.widgets.player_status import DECLARATIONS
from tui.widgets.tile_text import tile_name

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
        now: the next thing in a few words, the longest wording first; empty for none.
        key: the key for it, as a key cap; "" for none.
    """

    title: str
    text: str
    now: tuple[str, ...] = ()
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
        if not self.card.now or (not self.card.key and len(text) >= self.content_size.height):
            return text
        cap: list[Part] = [(f" {self.card.key} ", KEY_CAP), "  "] if self.card.key else []
        following = line(*cap, (fitting(width - line(*cap).cell_length, *self.card.now), palette.WARN))
        return [*text[: max(0, self.content_size.height - 1)], following]


def key_for(action: int, keymap: Keymap) -> str:
    """Returns the key for a primitive action, as people write it; "" for STAY."""
    return shown(keymap[_KEYS[action]][0]) if action in _KEYS else ""


def now(layout: Layout, advice: Advice) -> tuple[str, ...]:
    """Returns the next thing on the way to a skill, the longest wording first; nothing without a target."""
    if advice.target is None:
        return ()
    name, place = tile_name(layout, advice.target), f" ({advice.target[0]},{advice.target[1]})"
    if advice.action == constants.ACTION_STAY and advice.skill != constants.SKILL_STAY:
        return (f"the other cook is in the way of the {name}{place}: wait a moment", f"wait: no way to the {name}")
    wordings = tuple(_now(advice, *parts) for parts in ((name + place, " away"), (name + place, ""), (name, "")))
    down = advice.skill == constants.PUT_DOWN_OBJECT
    return (*(f"put it down: {words}" for words in wordings), wordings[-1]) if down else wordings


def in_the_way(snapshot: Snapshot, seat: int) -> str:
    """Returns what is said in the place of an instruction to a person who has to put something down first."""
    held = names.item(snapshot.scene.players[seat].held)
    return f"You hold something that is not needed now ({held}): put it down."


def _now(advice: Advice, tile: str, away: str) -> str:
    if advice.skill == constants.SKILL_STAY:
        return f"wait for the {tile}"
    if advice.distance:
        return f"to the {tile}, {advice.distance} tile{'s' * (advice.distance != 1)}{away}"
    return f"use the {tile}" if advice.action == constants.INTERACT else f"turn to the {tile}"


LESSON_STEPS = 1200  # two minutes
WORK = "Do one kind of work for a while. Your partner reads each of your steps: see the bars."
BURNS = "Something burns. Take the extinguisher and put the fire out, before it spoils more."
AGAIN = "work on: the next round begins by itself", "work on: another round follows"
PHASE_TITLES = {Phase.WORK: "work beside an agent", Phase.CHANGE: "it believes", Phase.NOTICED: "it noticed"}


class BesideScreen(PlayScreen):
    """Plays beside an agent whose belief and gate are shown; dismissed at the end.

    Args:
        session: the game: a believing agent in seat 0, the person in seat 1.
        keymap: the keys of every action.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    LEAVING = "End this part?", "End it", "Go on"

    def __init__(self, session: Session, keymap: Keymap, *, countdown: int = COUNTDOWN, motion: bool = True) -> None:
        super().__init__(session, countdown=countdown, show_belief=True, show_hint=False, motion=motion)
        self.lesson, self._keymap = BeliefLesson(session.trace), keymap
        self._status.leave_out(hints=True, declares=True)
        self._card = CardPanel()
        self._below = (self._card,)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Withholds the hint, for which the card stands, and what would hide the mind."""
        return False if action in ("hint", "mind", "skills", "declare") else super().check_action(action, parameters)

    def _end(self) -> None:
        self._save()
        self.dismiss()

    def _step(self) -> None:
        super()._step()
        self.lesson.see()
        self._show_panels()

    def _show_advice(self) -> None:
        """Says what to do, or what the agent believes or has noticed; points at the panel that shows it."""
        advice = None if self.lesson.phase is Phase.NOTICED else self.lesson.suggestion()
        self._card.card = beside_card(self.lesson, self.snapshot, advice, self._keymap)
        self._kitchen.show_target(advice.target if advice else None)
        by_gate = advice is None and self.lesson.notice is not None and self.lesson.notice.contradiction is not None
        for panel in self._belief_panels:
            panel.set_class(isinstance(panel, GatePanel | CommitmentPanel) == by_gate, EXPLAINED)


def beside_card(lesson: BeliefLesson, snapshot: Snapshot, advice: Advice | None, keymap: Keymap) -> Card:
    """Returns the card: what to do, or what the agent believes or, without advice, has noticed."""
    title, config = PHASE_TITLES[lesson.phase], snapshot.config
    if advice is None:
        theta = config.belief_config.gate.theta_obs if config.belief_config else 0.0
        return Card(title, "" if lesson.notice is None else noticed(lesson.notice, theta), AGAIN)
    work = BURNS if advice.skill in FIRE_WORK else WORK
    if advice.skill == constants.PUT_DOWN_OBJECT:
        work = in_the_way(snapshot, PARTNER)
    text = believes(lesson.believed) if lesson.phase is Phase.CHANGE and lesson.believed else work
    return Card(title, text, now(config.layout, advice), key_for(advice.action, keymap))


def believes(belief: BelievedRole) -> str:
    """Returns what the agent believes, and what to do about it."""
    return (
        f"It believes that you {DECLARATIONS[belief.role]} ({belief.probability:.0%}): the longest bar. "
        "Now do something else."
    )


def noticed(notice: Notice, theta: float) -> str:
    """Returns how the agent noticed a change, in a few sentences, given the threshold θ of its gate."""
    after = f"It noticed after {notice.steps} step{'s' * (notice.steps != 1)}"
    if notice.contradiction is None:
        now_it = f"it believes that you {DECLARATIONS[notice.after.role]} ({notice.after.probability:.0%})"
        return f"{after}: {now_it}. Its gate did not open on the way."
    misfit = (
        f"{after}: what you did hardly fits (ℓ {beside(notice.contradiction, theta)} < θ {theta:g}), its gate opened."
    )
    if notice.dropped == notice.skill:
        return f"{misfit} Asked again, it kept {names.skill_doing(notice.skill)}."
    return f"{misfit} Asked again, it left {names.skill_doing(notice.dropped)} for {names.skill_doing(notice.skill)}."
