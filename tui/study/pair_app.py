"""The study app of one of two people who play with one another, each at their own screen."""

import os
from functools import partial
from pathlib import Path

from bba.errors import BBAError
from human.pair.client import HUB, HubConnection
from human.pair.messages import inputs_of
from human.study import ParticipantSession, PlayTask
from human.study.game_log import GameLog
from human.study.notes import PairPlace
from human.study.tasks import PairTask, StudyTask, place_of
from tui.study.app import StudyApp
from tui.study.pair_game import LOST, PairGame
from tui.study.pair_pages import NOBODY, WaitPage
from tui.study.sessions import pair_session, speed_of
from tui.study.words import BEFORE_PAIR_GAME, GAME_OVER

NO_HUB = "this study is for two people at the same time; serve it: bba-tui --serve --study FILE"
CHECKED = "Two people play here, each at their own screen. A check skips these games."
LATER = 5.0  # seconds for which this app waits longer than the hub does


class PairStudyApp(StudyApp):
    """Leads one of two people through a study."""

    async def _run_task(self, part: ParticipantSession, task: StudyTask) -> bool:
        return await self._find_partner(part) if isinstance(task, PairTask) else await super()._run_task(part, task)

    async def _find_partner(self, part: ParticipantSession) -> bool:
        """Waits for somebody to play with; returns whether there is somebody."""
        group, row = place_of(self._study, part.progress)
        who = {"code": part.progress.participant, "number": part.progress.number, "group": group, "row": row}
        if self._skip is not None:
            part.pair_with(PairPlace(number=part.progress.number, seat=0, other="CHECK-2"), group, row)
            return True
        hub = await self._connection()
        try:
            hub.say({"look": who})
            heard = await self.push_screen_wait(WaitPage(hub, lambda message: "pair" in message, self._study.wait))
        finally:
            hub.close()
        if not heard:
            await self._page("Nobody has come", NOBODY, yes="Close")
            return False
        found = heard[-1]["pair"]
        place = PairPlace(number=found["number"], seat=found["seat"], other=found["other"])
        part.pair_with(place, found["group"], found["row"])
        return True

    async def _play_game(self, part: ParticipantSession, play: PlayTask) -> None:
        """Runs a game of both, from its start or from where it was interrupted."""
        name = f"game {play.game + 1} of {play.games}"
        if self._skip is not None:
            await self._page(name.capitalize(), CHECKED, yes=self._skip)
            part.begin(play, 0)
            part.end(play, given_up=True)
            return
        await self._page(name.capitalize(), BEFORE_PAIR_GAME, yes="Begin")
        hub = await self._connection()
        try:
            await self._play_together(part, play, name, hub)
        finally:
            hub.close()
        await self._quiet_page("Game over", GAME_OVER, yes="Go on")

    async def _play_together(self, part: ParticipantSession, play: PlayTask, name: str, hub: HubConnection) -> None:
        """Joins the other one, and plays until the game is over."""
        pair, file = part.progress.pair, part.recording(play.game)
        assert pair is not None  # the task before this one
        session, given = pair_session(self._study, self._settings, play.condition, file, pair.seat, hub)
        steps = session.resume()
        part.begin(play, steps)
        if not session.over:
            hub.say({"join": self._joining(play, pair, inputs_of(session.trace))})
            heard = await self.push_screen_wait(WaitPage(hub, _comes, self._study.wait + LATER))
            screen = PairGame(
                session,
                name,
                hub,
                given,
                heard or [{"given_up": True}],
                partial(part.note_pause, play),
                speed=speed_of(self._study, play.condition),
                countdown=self._countdown,
                hints=play.condition.hints,
                log=GameLog(part.log, play.game + 1, steps),
                motion=self.motion,
            )
            await self._play_and_save(session, screen)
        part.end(play, given_up=not session.game.done)

    def _joining(self, play: PlayTask, pair: PairPlace, steps: list[list[list[int | None]]]) -> dict[str, object]:
        return {
            **{"pair": pair.number, "game": play.game, "seat": pair.seat, "steps": steps},
            **{"horizon": self._study.horizon, "speed": play.condition.speed, "patience": self._study.wait},
        }

    async def _connection(self) -> HubConnection:
        """Connects with the hub.

        Raises:
            BBAError: this is no served study, or the hub does not answer.
        """
        path = os.environ.get(HUB)
        if path is None:
            raise BBAError(NO_HUB)
        return await HubConnection.open(Path(path))


def _comes(message: dict[str, object]) -> bool:
    """Returns whether the other one is there, or the game has ended without them."""
    return message.get("partner", LOST) != LOST or "given_up" in message
