"""Two minutes beside an agent: its mind is open, and a card points at what it believes and when it notices a change."""

from bba.analysis import names
from bba.analysis.advice import Advice
from bba.analysis.names import beside
from human.keymap import Keymap
from human.learn.belief_lesson import FIRE_WORK, BeliefLesson, BelievedRole, Notice, Phase
from human.session import Session
from tui.learn.card import Card, CardPanel, key_for, now
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.play_clock import COUNTDOWN
from tui.screens.tour import EXPLAINED
from tui.widgets.commitment import CommitmentPanel
from tui.widgets.gate import GatePanel
from tui.widgets.player_status import DECLARATIONS

STEPS = 1200  # two minutes
WORK = "Do one kind of work for a while. Your partner reads each of your steps: see the bars."
BURNS = "Something burns. Take the extinguisher and put the fire out, before it spoils more."
AGAIN = "work on: the next round begins by itself", "work on: another round follows"
TITLES = {Phase.WORK: "work beside an agent", Phase.CHANGE: "it believes", Phase.NOTICED: "it noticed"}


class BesideScreen(PlayScreen):
    """Plays beside an agent whose belief and gate are shown; dismissed at the end.

    Args:
        session: the game: a believing agent in seat 0, the person in seat 1.
        keymap: the keys of every action.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    def __init__(self, session: Session, keymap: Keymap, *, countdown: int = COUNTDOWN, motion: bool = True) -> None:
        super().__init__(session, countdown=countdown, show_belief=True, show_hint=False, motion=motion)
        self.lesson, self._keymap = BeliefLesson(session.trace), keymap
        self._status.leave_out(hints=True, declares=True)
        self._card = CardPanel()
        self._below = (self._card,)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Withholds the hint, for which the card stands, and what would hide the mind."""
        return False if action in ("hint", "mind", "skills", "declare") else super().check_action(action, parameters)

    def action_surrender(self) -> None:
        """Asks whether to end this part."""
        if self.is_active:
            self.app.push_screen(ConfirmDialog("End this part?", yes="End it", no="Go on"), self._surrender)

    def _end(self) -> None:
        self._save()
        self.dismiss()

    def _step(self) -> None:
        """Plays one step; the lesson and the card follow at once."""
        super()._step()
        self.lesson.see()
        self._show_panels()

    def _show_advice(self) -> None:
        """Says what to do, or what the agent believes or has noticed; points at the panel that shows it."""
        advice = None if self.lesson.phase is Phase.NOTICED else self.lesson.suggestion()
        self._card.card = self._card_for(advice)
        self._kitchen.show_target(advice.target if advice else None)
        by_gate = advice is None and self.lesson.notice is not None and self.lesson.notice.contradiction is not None
        for panel in self._belief_panels:
            panel.set_class(isinstance(panel, GatePanel | CommitmentPanel) == by_gate, EXPLAINED)

    def _card_for(self, advice: Advice | None) -> Card:
        lesson, title, config = self.lesson, TITLES[self.lesson.phase], self.snapshot.config
        if advice is None:
            theta = config.belief_config.gate.theta_obs if config.belief_config else 0.0
            return Card(title, "" if lesson.notice is None else noticed(lesson.notice, theta), AGAIN)
        work = BURNS if advice.skill in FIRE_WORK else WORK
        text = believes(lesson.believed) if lesson.phase is Phase.CHANGE and lesson.believed else work
        return Card(title, text, now(config.layout, advice), key_for(advice.action, self._keymap))


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
