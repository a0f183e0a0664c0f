"""The study app of one of two people who play with one another, each at their own screen.

The hub says what is played in each step, and the game stands still while one is missing.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual import on
from textual.widgets import Button, Static

from bba.errors import BBAError
from bba.language import marked, say
from human.pair import HUB, HubConnection, Message, ReceivedControls, SentControls, inputs_of, unpacked
from human.session import Session
from human.study import GameLog, PairPlace, PairTask, ParticipantSession, PauseReason, PlayTask, StudyTask, place_of
from tui.playback.clock import Standstill
from tui.study.app import StudyApp
from tui.study.flow import study_game
from tui.study.game import StudyGame
from tui.study.pages import Page, PageButton, StudyEnd, game_over_page, ways
from tui.study.screens import PageScreen

HERE = "here"
LOST = "lost"
LOST_PARTNER = marked("the other's connection is lost: the game waits")
STILL_PARTNER = marked("the other one pauses")


class PairGame(StudyGame):
    """Plays a session with somebody at another screen.

    Args:
        session: the game; its controls are those of this person.
        name: the title.
        hub: the connection with the hub, which has let this person in.
        received: the controls of both seats as the agents read them.
        messages: of the hub since it let this person in.
        options: the rest as in `StudyGame`.

    Attributes:
        partner_presence: HERE, LOST, or how else the other one is as the hub says.
    """

    def __init__(
        self,
        session: Session,
        name: str,
        hub: HubConnection,
        received: Mapping[int, ReceivedControls],
        messages: Sequence[Message],
        **options: Any,
    ) -> None:
        super().__init__(session, name, **options)
        self._hub = hub
        self._received = received
        self._messages = messages
        self.partner_presence = HERE
        self._told_still: PauseReason | None = None  # why this person stands still, as the hub was told last

    def on_mount(self) -> None:
        self.run_worker(self._follow_hub())

    def _begin(self) -> None:
        """Tells the hub that the countdown is over; the hub beats for both."""
        self._hub.say({"ready": True})
        self._show_title()

    @property
    def standstill(self) -> Standstill | None:
        """Why the game stands still, also because of the other one; None if it goes on and takes keys."""
        reason = super().standstill
        if reason is None and self.partner_presence != HERE:
            return Standstill.PARTNER
        return reason

    @property
    def status(self) -> str:
        """The state of the game, or why it waits for the other one."""
        if self.partner_presence == HERE or self.session.over:
            return super().status
        return say(LOST_PARTNER if self.partner_presence == LOST else STILL_PARTNER)

    async def _follow_hub(self) -> None:
        for message in self._messages:
            self.hear(message)
        async for message in self._hub.messages():
            self.hear(message)
            if self.session.over:
                return
        self.partner_presence = LOST  # the server is gone
        self._show_title()

    def hear(self, message: Message) -> None:
        """Does what the hub says: plays steps, notes how the other one is, or ends the game."""
        match message:
            case {"from": int(first), "steps": list(steps)}:
                for step in steps[len(self.session.trace.ticks) - first :]:
                    self._play(step)
            case {"partner": str(state)}:
                self.partner_presence = state
                self._show_title()
            case {"given_up": True} if not self.session.over:
                self.session.give_up()
                self._end()

    def _play(self, step: list[list[int | None]]) -> None:
        if not self.session.over:
            for controls, decision in zip(self._received.values(), unpacked(step), strict=True):
                controls.received = decision
            self._step()

    def see_pauses(self) -> None:
        """Notes whether the game stands still, and tells the hub if that is because of this person."""
        super().see_pauses()
        reason = self._why_still
        if reason == "partner":
            reason = None
        if reason != self._told_still:
            self._told_still = reason
            self._hub.say({"still": reason})

    def _surrender(self, sure: bool | None) -> None:
        if sure:
            self._hub.say({"give_up": True})
        super()._surrender(sure)


def _ends_the_wait(message: Message) -> bool:
    """Whether the other one is there, or the game has ended without them."""
    return message.get("partner", LOST) != LOST or "given_up" in message


def wait_page() -> Page:
    """Returns the page of who waits for the other one."""
    text = say("The game begins as soon as the other participant is there. Please stay here.")
    return Page(say("Waiting"), text, (PageButton("no", say("Stop waiting")),))


class WaitScreen(PageScreen[list[Message] | None]):
    """Shows that the other one is awaited; returns what the hub has said up to the message that ends the wait.

    If nobody comes it returns nothing; None if the participant stops waiting.

    Args:
        hub: the connection.
        awaited: returns whether a message ends the wait.
        patience: seconds after which nobody is awaited any longer.
    """

    AUTO_FOCUS = ""

    def __init__(self, hub: HubConnection, awaited: Callable[[Message], bool], patience: float) -> None:
        page = wait_page()
        super().__init__(page, Static(page.text, markup=False))
        self._hub = hub
        self._awaited = awaited
        self._patience = patience

    def on_mount(self) -> None:
        self.run_worker(self._listen())

    async def _listen(self) -> None:
        messages: list[Message] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                async for message in self._hub.messages():
                    messages.append(message)
                    if self._awaited(message):
                        self.dismiss(messages)
                        return
        self.dismiss([])

    @on(Button.Pressed)
    def stop(self) -> None:
        self.dismiss(None)


LATER = 5.0  # seconds for which this app waits longer than the hub does


class PairStudyApp(StudyApp):
    """Leads one of two people through a study; it ends for now for who has lost the other one in a game."""

    _lost = False

    async def _run_task(self, part: ParticipantSession, task: StudyTask) -> bool:
        if isinstance(task, PairTask):
            return await self._find_partner(part)
        goes_on = await super()._run_task(part, task)
        if self._lost:
            text = say("""The other participant has not come back. What you have done is saved.

Thank you for playing.""")
            await self._end_with("partner-lost", say("Nobody to play with"), text)
        return goes_on and not self._lost

    async def _find_partner(self, part: ParticipantSession) -> bool:
        progress = part.progress
        group, row = place_of(self._study, progress)
        if self._skip is not None:
            part.pair_with(PairPlace(number=progress.number, seat=0, other="CHECK-2"), group, row)
            return True
        with closing(await self._connection()) as hub:
            hub.say({"look": {"code": progress.participant, "number": progress.number, "group": group, "row": row}})
            waiting = WaitScreen(hub, lambda message: "pair" in message, self._study.wait)
            messages = await self.push_screen_wait(waiting)
        if not messages:
            text = say("""\
Nobody has come for a while. What you have done is saved; the same code goes on from here another time.

Thank you for waiting.""")
            ending: StudyEnd = "left-study" if messages is None else "partner-lost"
            await self._end_with(ending, say("Nobody has come"), text)
            return False
        pair = messages[-1]["pair"]
        part.pair_with(PairPlace(number=pair["number"], seat=pair["seat"]), pair["group"], pair["row"])
        return True

    async def _play_game(self, part: ParticipantSession, play: PlayTask) -> None:
        """Runs a game of both, from its start or from where it was interrupted."""
        name = say("game {game} of {games}", game=play.game + 1, games=play.games)
        if self._skip is not None:
            text = "Two people play here, each at their own screen. A check skips these games."
            await self._show_page(Page(name.capitalize(), text, ways(self._skip)))
            part.begin(play, 0)
            part.end(play, given_up=True)
            return
        text = say("""\
Cook as many burritos as you can, together with another participant, who sits at another screen.

A guest who waits too long leaves; food that stays on the fire too long burns. The game waits for both of you.""")
        await self._show_page(Page(name.capitalize(), text, ways(say("Begin"))))
        with closing(await self._connection()) as hub:
            await self._play_together(part, play, name, hub)
        await self._show_page(game_over_page())

    async def _play_together(self, part: ParticipantSession, play: PlayTask, name: str, hub: HubConnection) -> None:
        """Joins the other one, and plays until the game is over."""
        pair = part.progress.pair
        file = part.recording(play.game)
        assert pair is not None  # the task before this one
        received = {seat: ReceivedControls() for seat in (0, 1)}
        game = study_game(self._study, self._settings, play.condition, received)
        session = Session(game, {pair.seat: SentControls(hub)}, file)
        steps = session.resume()
        part.begin(play, steps)
        if not session.over:
            hub.say(
                {
                    "join": {
                        "pair": pair.number,
                        "game": play.game,
                        "seat": pair.seat,
                        "steps": inputs_of(session.trace),
                        "horizon": self._study.horizon,
                        "speed": play.condition.speed,
                        "patience": self._study.wait,
                    }
                }
            )
            messages = await self.push_screen_wait(WaitScreen(hub, _ends_the_wait, self._study.wait + LATER))
            if not messages:
                messages = [{"given_up": True}]
            screen = PairGame(
                session,
                name,
                hub,
                received,
                messages,
                keep_pause=partial(part.note_pause, play),
                speed=self._study.speed_of(play.condition),
                countdown=self._countdown,
                hints=play.condition.hints,
                skills=self._study.skills,
                log=GameLog(part.log, play.game + 1, steps),
                motion=self.motion,
            )
            await self._play_and_save(session, screen)
            lost = not session.game.done and screen.partner_presence == LOST  # the other one did not come back
            self._lost = lost and "given_up" not in messages[-1]  # who comes later has lost nobody
        part.end(play, given_up=not session.game.done)

    async def _connection(self) -> HubConnection:
        """Connects with the hub.

        Raises:
            BBAError: this is no served study, or the hub does not answer.
        """
        path = os.environ.get(HUB)
        if path is None:
            raise BBAError("this study is for two people at the same time; serve it: bba-tui serve --study FILE")
        return await HubConnection.open(Path(path))
