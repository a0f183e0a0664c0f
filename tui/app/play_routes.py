"""How a person's games begin and end: after an offer of Learn to newcomers, and with a debrief."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual import work

from bba.errors import BBAError
from human.session import Session
from tui.app.navigation import is_a
from tui.config import AppState
from tui.game_factory import SessionRequest
from tui.playback.best_scores import BestScores
from tui.style.base_app import BaseApp

if TYPE_CHECKING:
    from tui.screens.play import PlayScreen
    from tui.screens.start import StartScreen


class PlayRoutes(BaseApp):
    """Begins games and Learn, and follows the messages of their screens, each on its own screen only."""

    session: Session | None
    _request: SessionRequest | None
    _state: AppState
    _best: BestScores
    _tour: bool
    _show_belief: bool
    _bell: bool

    @abstractmethod
    def _start_screen(self) -> "StartScreen":
        """Returns a start screen that remembers what was chosen last."""

    def on_play_screen_game_over(self, message: "PlayScreen.GameOver") -> None:
        from tui.screens.debrief import DebriefScreen

        if is_a(self.screen, "PlayScreen"):
            self.switch_screen(DebriefScreen(message.session, message.speed, self._best))

    def on_debrief_screen_play_again(self) -> None:
        if self._request is not None and is_a(self.screen, "DebriefScreen"):
            self.pop_screen()
            self._play(self._request)

    def _play(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session, after a newcomer was offered Learn."""
        in_window = session is not None and session.window is not None
        if self._tour and not in_window and not self.is_web and self._state.first_game():
            self._state.keep_taught()
            self._offer_lesson(request, session)
        else:
            self._begin(request, session)

    def _offer_lesson(self, request: SessionRequest, session: Session | None) -> None:
        """Asks a newcomer whether to begin with Learn; otherwise the session begins."""

        def answer(wanted: bool | None) -> None:
            if wanted:
                self._learn()
            else:
                self._begin(request, session)

        from tui.app.learning import offer

        self.push_screen(offer(), answer)

    def _begin(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session and shows it, or says why it cannot begin."""
        from tui.screens.play import PlayScreen

        try:
            self._request, self.session = request, session or request.make(self.keymap)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        else:
            self.push_screen(
                PlayScreen(
                    self.session,
                    speed=request.speed,
                    show_belief=self._show_belief,
                    motion=self.motion,
                    bell=self._bell,
                )
            )

    @work
    async def _learn(self) -> None:
        """Leads through Learn, then to a game or to the start screen."""
        from tui.app.learning import learn, own_game

        self._state.keep_taught()
        wanted = False
        try:
            wanted = await learn(self, self.keymap, motion=self.motion)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        if wanted:
            self._begin(own_game())
        elif not is_a(self.screen, "StartScreen"):
            self.push_screen(self._start_screen())
