"""The ego's mind: the keys that show what its planner was asked, and that tune its belief and gate."""

from typing import TYPE_CHECKING, cast

from textual import on

from bba.analysis.snapshot import EGO
from bba.belief import BeliefConfig
from human.keymap import Keymap
from tui.screens.clocked import ClockedScreen
from tui.screens.model_calls import ModelCallsScreen
from tui.screens.tour import TourScreen
from tui.style.breakpoints import ROOMY
from tui.style.key_bindings import shown
from tui.widgets.policy import learned
from tui.widgets.tuning import DEFAULTS, TuningPanel

if TYPE_CHECKING:
    from tui.app.app import BBAApp

TUNING, PLANNER = "-tuning", "-planner"  # the classes by which other panels give way
POLICY = "-policy"  # the class by which the planner's panel gives way to that of learned policies


class MindScreen(ClockedScreen):
    """A screen on a game whose ego can be asked what it thought, and tuned at the newest step.

    Its heirs show a `TuningPanel`.
    """

    @property
    def _figures(self) -> TuningPanel:
        return self.query_one(TuningPanel)

    @property
    def tuning(self) -> bool:
        """Whether the figures are shown, and the arrow keys change them."""
        return self.has_class(TUNING)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_asked(self) -> None:
        """Pause and show what a planner was last asked at this moment."""
        self._pause()
        self.app.push_screen(ModelCallsScreen(self.snapshot))

    def action_planner(self) -> None:
        """Show the planner's panel in place of another, then that of a learned policy if there is one, then neither."""
        if self._both and self._shows_planner:
            self.add_class(POLICY)
        else:
            self.toggle_class(PLANNER)
            self.set_class(self.has_class(POLICY) and not self._both, POLICY)
        self.call_after_refresh(self._show_all)

    @property
    def _shows_planner(self) -> bool:
        """Whether the planner's panel is there, which it always is where there is room for all."""
        return (self.has_class(PLANNER) or self.has_class(ROOMY)) and not self.has_class(POLICY)

    @property
    def _both(self) -> bool:
        """Whether there are a planner and a learned policy to be shown."""
        return bool(learned(self.snapshot)) and self.snapshot.config.seats[EGO].planner is not None

    def _choose_panel(self) -> None:
        """Where there is only one of the two to be shown, let it be that."""
        if not self._both:
            self.set_class(bool(learned(self.snapshot)), POLICY)

    def action_tour(self) -> None:
        """Explain this screen, panel by panel."""
        self.app.push_screen(TourScreen(self, self._keymap))

    def action_tune(self) -> None:
        """Show the figures, or put them away."""
        self.toggle_class(TUNING)
        self.refresh_bindings()
        self.call_after_refresh(self._show_all)  # the panels beside them have another size

    action_leave_tuning = action_tune

    def action_tune_choose(self, by: int) -> None:
        """Let the keys change another figure."""
        self._figures.choose(by)

    def action_tune_change(self, by: int) -> None:
        """Change the chosen figure."""
        self._figures.change(by)

    def action_tune_reset(self) -> None:
        """Give the chosen figure its default."""
        self._figures.reset()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys of the figures count while these are shown; they come before the others on the same keys."""
        if action.startswith("tune_") or action == "leave_tuning":
            return self.tuning
        return super().check_action(action, parameters)

    # --- what is tuned -----------------------------------------------------------------------------------------
    @on(TuningPanel.Changed)
    def turn(self, message: TuningPanel.Changed) -> None:
        """Let the game go on with these figures."""
        self.feed.reconfigure(message.belief_config)
        self._show_figures()

    def _show_figures(self) -> None:
        """Show what the next step will be played with; of a step that was played, what it was played with."""
        if self.tuning:
            problem = self._untunable()
            self._figures.show_belief_config((self._held() if problem else self._next()) or DEFAULTS, problem)

    def _held(self) -> BeliefConfig | None:
        return self.snapshot.config.belief_config

    def _next(self) -> BeliefConfig | None:
        """What the next step of the game will be played with; None for an ego without a belief."""
        return self.feed.trace.config_at(self.newest + 1).belief_config

    def _untunable(self) -> str:
        """Why nothing can be tuned here; "" where it can."""
        otherwise = f"{shown(self._keymap['what_if'][0])} asks what if."
        if self.feed.recorded:
            return f"A recording keeps its figures; {otherwise}"
        if self._next() is None:
            return f"{self.feed.config.agents[0]} has no belief to tune; {otherwise}"
        if self.past:
            return f"The past keeps its figures; {otherwise}"
        return f"The game is over; {otherwise}" if self.feed.done else ""

    @property
    def _keymap(self) -> Keymap:
        return cast("BBAApp", self.app).keymap
