"""The screen on which people play: the kitchen, the orders, their own status. The agent's belief is hidden at first."""

from collections.abc import Collection, Mapping
from functools import partial
from time import monotonic
from typing import cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Digits

from bba.analysis import Adviser, Snapshot, names, plan_news
from bba.errors import BBAError
from bba.kitchen import constants
from bba.language import marked, say
from bba.planner import QuestionProgress
from bba.play.trace import EGO
from human.keymap import (
    KEYS_IN_VAIN,
    LEFT_HAND,
    PLAY_KEYS,
    RIGHT_HAND,
    Keymap,
    directions,
    movement_keys,
    walking_keys,
)
from human.session import Session
from tui.game_factory import replay_command
from tui.playback.clock import COUNTDOWN, PANEL_RATE, Clock, Standstill
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.dialogs import ConfirmDialog, DebriefRequested, ViewChosen
from tui.screens.example_game import ExampleGame
from tui.screens.play_window import PlayWindow
from tui.screens.preparation import Preparation
from tui.screens.skill_pad import DIGITS, SkillPad
from tui.screens.turns import Turns
from tui.style import BARS, FRAME, HINT, ROOMY_CLASS, BaseApp, BaseScreen, bindings, key_of, side_width, thoughts_of
from tui.widgets import (
    WAITS,
    Celebrations,
    GameCost,
    HowToPanel,
    KitchenView,
    Panel,
    PartnerPanel,
    PlayerPanel,
    PosteriorPanel,
    RecipePanel,
    StationsPanel,
    TitleBar,
    deciding_gate_panel,
    game_time,
    happenings,
    in_vain,
    longest,
    noted,
    thinking,
    waiting,
)

BELOW = 3  # rows of the smallest panel below the kitchen


class PlayScreen(BaseScreen[None]):
    """Plays a session in real time, or turn by turn; asks for its debrief at its end.

    Args:
        session: the game and its people.
        speed: steps a second; None for turn by turn, where the world waits for a key.
        countdown: seconds before the first step.
        show_belief: whether the agent's belief and gate are shown at first.
        show_hint: whether a useful next thing is shown at first.
        motion: whether points rise and borders pulse when something happens.
        bell: whether the terminal's bell rings then.
    """

    SITUATION = "while playing"

    BINDINGS = bindings((*LEFT_HAND, *RIGHT_HAND, *PLAY_KEYS))
    explains_use = True  # whether it says why the key to use something did nothing
    tells_changes = True  # whether it says when the partner has thought its plan over
    shows_example = True  # whether a recorded game is shown until the agents are prepared
    shows_thoughts = True  # whether the partner can have a bubble that shows what it thinks its person does
    LEAVING = marked(("End the game here?", "End it", "Play on"))  # asked before a game is ended, with the two answers

    def __init__(
        self,
        session: Session,
        *,
        speed: float | None = 10.0,
        countdown: int = COUNTDOWN,
        show_belief: bool = False,
        show_hint: bool = True,
        motion: bool = True,
        bell: bool = False,
    ) -> None:
        super().__init__()
        self.session = session
        self._preparation = Preparation(self.call_later)
        self.clock = Clock(
            speed,
            countdown=countdown,
            preparing=lambda: self._preparation.waiting,
            covered=lambda: self.covered,
            over=lambda: session.over,
        )
        self._digits = Digits(id="countdown")
        self._kitchen = KitchenView(session.trace.config.layout, self._digits)
        self.show_belief = show_belief
        self.show_hint = show_hint
        self.skill_mode = False
        self._turns = Turns(session, self.clock, self.set_interval, step=self._step, show_title=self._show_title)
        self._pad = SkillPad(
            session,
            self.clock,
            self._turns,
            self.set_interval,
            show_title=self._show_title,
            show_panels=self._show_panels,
        )
        self._window = PlayWindow(self, session, press=self._press, give_up=partial(self._surrender, True))
        self._title = TitleBar()
        self._cost = GameCost()
        self._belief_panels = (PosteriorPanel(), deciding_gate_panel(session.trace.config.seats[EGO])())
        for panel in self._belief_panels:
            panel.add_class("mind")
        self._status = PlayerPanel(session.people, speed)
        self._partner = PartnerPanel(session.people, mind=session.trace.config.belief_config is not None)
        people_panels = (self._status, self._partner)
        self._panels: tuple[Panel, ...] = (RecipePanel(), HowToPanel(), *people_panels, *self._belief_panels)
        self._below: Panel = StationsPanel()
        self._adviser = Adviser(session.trace, session.people[0])
        self._celebrations = Celebrations(self._kitchen, motion=motion, bell=bell)
        self._told_until = 0.0  # the time until which a change of the partner's plan stays in view
        self._unknown_keys = 0  # how many keys in a row did nothing
        self._example = ExampleGame(self._kitchen)
        self._withheld: set[str] = set()  # actions that a game of this kind does not have

    def compose(self) -> ComposeResult:
        yield self._title
        with Horizontal(id="body"):
            yield Vertical(self._kitchen, self._below, id="board")
            yield Vertical(*self._panels, self._pad.panel, id="side")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._kitchen.thinks = self.shows_thoughts and thoughts_of(self.app)
        self._kitchen.show_snapshot(self.snapshot)
        self._show_mode()
        self._window.listen()
        self.call_after_refresh(self._show_panels)
        self.set_interval(1 / PANEL_RATE, self._show_panels)
        self._preparation.begin([self.session.game], self._prepared)
        if self._preparation.waiting and self.shows_example:
            self._example.begin(self.session.trace.config.layout, self.set_interval)
        self._show_title()

    def on_resize(self, event: events.Resize) -> None:
        """Fits the kitchen into the space beside the panels, the stations below it; what is left is around it."""
        columns = event.size.width - side_width(event.size.width) - FRAME
        rows = event.size.height - BARS - FRAME
        board = self._kitchen.fit(Size(columns, rows))
        self.query_one("#board").styles.width = board.width + FRAME
        rows_below = rows - board.height
        self._below.display = rows_below >= BELOW
        self._below.styles.height = max(BELOW, rows_below)  # the style sheet says how high at most
        self.call_after_refresh(self._show_panels)

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in self._withheld or (action == "thought" and not self.shows_thoughts):
            return False
        return super().check_action(action, parameters)

    def action_hand(self, person: int, name: str) -> None:
        """Presses a key of the first person (0), or of the second (-1), who is the first where there is one alone."""
        action = constants.ACTION_NAMES.index(name)
        self._press(self.session.people[person], action)

    def action_skills(self) -> None:
        if self._pad.stop_walk():
            return
        self.skill_mode = not self.skill_mode
        if self.skill_mode and self.show_belief and not self.has_class(ROOMY_CLASS):
            self.show_belief = False
            key = key_of(self.app, "mind")
            self.hint(f"no room for both: the belief makes way for the skills; {key} brings it back")
        self._show_mode()

    def action_mind(self) -> None:
        if self._pad.stop_walk():
            return
        self.show_belief = not self.show_belief
        if self.show_belief:
            text = "a guess about you from each of your steps: standing still counts, too"
            if self.skill_mode and not self.has_class(ROOMY_CLASS):
                self.skill_mode = False
                text = f"no room for both: skill mode is off; {key_of(self.app, 'skills')} brings it back"
            self.hint(text)
        self._show_mode()

    def action_thought(self) -> None:
        if not self._pad.stop_walk():
            self._kitchen.thinks = not self._kitchen.thinks
            self.post_message(ViewChosen("thoughts", self._kitchen.thinks))

    def action_stay(self) -> None:
        if self._pad.stop_walk() or not self.playing:
            return
        if self.clock.timed:
            self.hint(say("the clock runs; “more” on the start screen lets the world wait for your keys"))
        else:
            self._turns.take()

    def action_pause(self) -> None:
        if not self._pad.stop_walk():
            self.clock.paused = not self.clock.paused
            self._show_title()

    def action_hint(self) -> None:
        if not self._pad.stop_walk():
            self.show_hint = not self.show_hint
            self._show_panels()

    def action_declare(self, role: int) -> None:
        if not self._pad.stop_walk():
            seat = self.session.people[0]
            self.session.controls[seat].declare(role)
            self.hint(noted(role, seat))

    def leave_app(self) -> None:
        """Asks whether to end a running game, which leads to its debrief; else leaves."""
        if self.session.over:
            super().leave_app()
        else:
            self.action_surrender()

    def action_surrender(self) -> None:
        if self.skill_mode and self.is_active and not self._pad.walks:
            self.action_skills()  # the panel lies nearest
        elif self.is_active and not self.session.over and not self._pad.stop_walk():
            text, yes, no = self.LEAVING
            question = ConfirmDialog(say(text), yes=say(yes), no=say(no))
            self.app.push_screen(question, self._surrender)

    @property
    def walking(self) -> Collection[str]:
        """The keys that walk or use what is in front, of all people."""
        return movement_keys(self.session.people, self._app_keymap)

    @property
    def joint_keys(self) -> Mapping[str, str]:
        """The keys of the four directions, which the footer shows together."""
        keys = directions(RIGHT_HAND, self._app_keymap)
        separator = "" if all(len(key) == 1 for key in keys) else " "
        return {RIGHT_HAND[0].action: separator.join(keys)}

    @property
    def _app_keymap(self) -> Keymap:
        return cast("BaseApp", self.app).keymap

    def _press(self, seat: int, action: int) -> None:
        self._unknown_keys = 0
        if self.standstill is Standstill.PAUSE:
            self.hint(say("paused; {key} goes on", key=key_of(self.app, "pause")))
        if not self.playing or self._pad.stop_walk():
            return
        controls = self.session.controls[seat]
        if self.clock.owes_step:  # the game waits, so that one may still think better of it
            controls.drop()
        controls.press(action)
        if not self.clock.timed:
            self._turns.take()

    # --- skills by their numbers -------------------------------------------------------------------------------
    def on_key(self, event: events.Key) -> None:
        """Stops a skill that goes on by itself; reads digits as the number of a skill, in skill mode."""
        if self._pad.stop_walk():
            return
        if self.skill_mode and event.character and event.character in DIGITS:
            event.stop()
            skill = self._pad.panel.digit(event.character)
            if skill is not None and self.playing and not self._pad.choose(skill):
                self.hint(say("{skill}: not possible now", skill=names.skill(skill)))
            self._offer_skills()
        elif self.is_active:
            self._unknown_keys += 1
            if self._unknown_keys == KEYS_IN_VAIN:
                self._unknown_keys = 0
                self.hint(walking_keys(self._app_keymap))

    def _offer_skills(self) -> None:
        if self.skill_mode:
            self._pad.offer(self.snapshot)

    # --- the clock ---------------------------------------------------------------------------------------------
    def on_screen_suspend(self) -> None:
        self._pad.stop_walk()
        self._show_title()

    def on_screen_resume(self) -> None:
        self._show_title()

    def stand_still(self) -> None:
        """Pauses a game in real time, whose person may be away for long; turn by turn it waits anyway."""
        if self.clock.timed and not self.session.over:
            self.clock.paused = True
            self._show_title()

    @property
    def covered(self) -> bool:
        """Whether another screen, or the line for small terminals, lies over the game (which a window shows still)."""
        return not self.is_active or (self.too_small and self.session.window is None)

    @property
    def standstill(self) -> Standstill | None:
        """Why the game stands still; None if it goes on and takes keys."""
        return self.clock.standstill

    @property
    def playing(self) -> bool:
        """Whether the game goes on and takes keys."""
        return self.standstill is None

    def _prepared(self, problem: str | None) -> None:
        """Begins, or says why the game cannot; the first step would say so again."""
        self._example.end()
        self._kitchen.show_snapshot(self.snapshot)
        if problem is not None:
            self.clock.paused = True
            self.show_problem(problem)
        self._count()

    def _count(self) -> None:
        """Shows the countdown, then lets the game begin."""
        seconds = self.clock.countdown
        self._digits.display = seconds > 0
        if seconds > 0:
            self._digits.update(str(seconds))
            self.set_timer(1.0, self._count_on)
        else:
            self._begin()
        self._show_title()

    def _count_on(self) -> None:
        self.clock.count_down()
        self._count()

    def _begin(self) -> None:
        """Sets the timer: of the beats or, turn by turn, of the looks whether slow agents have decided."""
        if self.clock.timed:
            self.set_interval(self.clock.beat, self._on_beat)
        else:
            self._turns.begin()

    def _on_beat(self) -> None:
        if self.playing:
            self._step()

    # --- the game ----------------------------------------------------------------------------------------------
    def _step(self) -> None:
        """Plays one step and shows it; the last step ends the game."""
        try:
            self.session.step()
        except BBAError as error:
            self.clock.paused = True
            self.show_problem(str(error))
        self._kitchen.show_snapshot(self.snapshot, self.clock.beat / 2)
        for happening in happenings(self.snapshot):
            self._celebrations.begin(happening)
        if not self._tell_change() and self.explains_use:
            self._explain_use()
        self._show_title()
        if not self.clock.timed:
            self._show_panels()
        if self.session.over:
            self._end()

    def _tell_change(self) -> bool:
        """Says when the partner has just thought its plan over; returns whether that is in view."""
        step = self.snapshot.step
        news = plan_news(self.session.trace, step) if self.tells_changes and step else None
        if news is not None:
            self.hint(f"{news.sign} {news.text}")
            self._told_until = monotonic() + HINT
        return monotonic() < self._told_until

    def _explain_use(self) -> None:
        """Says what was missing where a person has just used a tile in vain."""
        for seat in self.session.people:
            explanation = in_vain(self.snapshot, seat)
            if explanation:
                self.hint(explanation)
                return

    def _surrender(self, sure: bool | None) -> None:
        if sure:
            self.session.give_up()
            self._end()

    def _end(self) -> None:
        self._save()
        self.post_message(DebriefRequested(self, self.source, played=True, ran_out=self.ran_out))

    @property
    def source(self) -> PlaybackSource:
        """The game so far, to look back on."""
        path = self.session.path
        return PlaybackSource(lambda: TracePlayback(self.session.trace), file=path, command=replay_command(path))

    @property
    def ran_out(self) -> bool:
        """Whether the clock has ended the game."""
        trace = self.session.trace
        return len(trace.ticks) == trace.config.horizon and self.clock.timed

    def _save(self) -> None:
        self.attempt(self.session.close, timeout=30)

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def snapshot(self) -> Snapshot:
        """The newest step, without the partner's true role: the partner is a person."""
        trace = self.session.trace
        return Snapshot(trace, len(trace.ticks), truth=False)

    @property
    def status(self) -> str:
        """The state of the game in a word or two, or what it waits for; how to stop a skill that goes on by itself."""
        match self.standstill:
            case Standstill.PREPARATION:
                return self._preparation.text
            case Standstill.COUNTDOWN:
                return say("get ready")
            case Standstill.COVER | Standstill.PAUSE:
                return say("paused")
            case None:
                question = self.pending_question if self.clock.owes_step else None
                if question is not None:
                    return self._waiting(question)
                if self._pad.walks:
                    return say("any key stops it")
        if not self.clock.timed:
            return say("your turn") + self._mode
        steps_to_go = self.snapshot.config.horizon - self.snapshot.step
        return game_time(steps_to_go, self.clock.speed) + self._mode

    @property
    def pending_question(self) -> QuestionProgress | None:
        """How far the decision is that has been under way for longest; None if there is none."""
        return longest(self.session.game.progress)

    def _waiting(self, question: QuestionProgress) -> str:
        return waiting(question)

    @property
    def _mode(self) -> str:
        """Whether the game waits while a language model is asked, and what that has cost; "" where none is.

        Where there is no room for the partner's panel it also says that the partner thinks.
        """
        thinks = ""
        if self.clock.timed and not self._partner.size:
            question = self.pending_question
            if question is not None:
                thinks = f", partner {thinking(question)}"
        waits = WAITS[self.session.game.world_waits]
        cost = self._cost.words(self.snapshot)
        return f"{thinks}{waits}{cost}"

    def _show_mode(self) -> None:
        """Shows the panels of the modes that are on; the style sheet says what makes way for them."""
        self.set_class(self.skill_mode, "-skills")
        self.set_class(self.show_belief, "-belief")
        self._show_panels()

    def _show_panels(self) -> None:
        snapshot = self.snapshot
        self._partner.progress = self.session.game.progress
        self._show_advice()
        for panel in (*self._panels, self._below):
            panel.show_snapshot(snapshot)
        self._offer_skills()
        self._show_title()

    def _show_advice(self) -> None:
        advice = self._adviser.advise() if self.show_hint else None
        self._status.advice = advice
        self._kitchen.target = advice.target if advice else None

    def _show_title(self) -> None:
        snapshot = self.snapshot
        status = self.status
        self._title.show_snapshot(snapshot, status, past=self.clock.paused or self._preparation.waiting)
        self._status.show_snapshot(snapshot)  # at the same rate: both have a clock
        self._window.show(snapshot, status)
