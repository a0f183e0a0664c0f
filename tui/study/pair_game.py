"""A game of two people: the hub says what is played in each step, and the game stands still while one is missing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from human.pair.client import GivenControls, HubConnection
from human.pair.messages import Message, unpacked
from human.session import Session
from human.study.progress import Pause, PauseReason
from tui.study.game import StudyGame

HERE, LOST = "here", "lost"
LOST_PARTNER = "the other's connection is lost: the game waits"
STILL_PARTNER = "the other one pauses"


class PairGame(StudyGame):
    """Plays a session with somebody at another screen.

    Args:
        session: the game; its controls are those of this person.
        name: the title.
        hub: the connection with the hub, which has let this person in.
        given: the controls of both seats as the agents read them.
        heard: what the hub has said since it let this person in.
        options: the rest as in `StudyGame`.
    """

    def __init__(
        self,
        session: Session,
        name: str,
        hub: HubConnection,
        given: Mapping[int, GivenControls],
        heard: Sequence[Message],
        keep_pause: Callable[[Pause], object],
        **options: Any,
    ) -> None:
        super().__init__(session, name, keep_pause=keep_pause, **options)
        self._hub, self._given, self._heard = hub, given, heard
        self._other, self._said_still = HERE, ""

    def on_mount(self) -> None:
        self.run_worker(self._follow_hub())

    def _begin(self) -> None:
        """Tells the hub that the countdown is over; the hub has the clock."""
        self._hub.say({"ready": True})
        self._show_title()

    @property
    def playing(self) -> bool:
        """Whether the game goes on and takes keys."""
        return super().playing and self._other == HERE

    @property
    def status(self) -> str:
        """The state of the game, or why it waits for the other one."""
        if self._other == HERE or self.session.over:
            return super().status
        return LOST_PARTNER if self._other == LOST else STILL_PARTNER

    async def _follow_hub(self) -> None:
        for message in self._heard:
            self.hear(message)
        async for message in self._hub.messages():
            self.hear(message)
            if self.session.over:
                return
        self._other = LOST  # the server is gone
        self._show_title()

    def hear(self, message: Message) -> None:
        """Does what the hub says: plays steps, notes how the other one is, or ends the game."""
        match message:
            case {"from": int(first), "steps": list(steps)}:
                known = len(self.session.trace.ticks)
                for step in steps[known - first :]:
                    self._play(step)
            case {"partner": str(state)}:
                self._other = state
                self._show_title()
            case {"given_up": True} if not self.session.over:
                self.session.give_up()
                self._end()

    def _play(self, step: list[list[int | None]]) -> None:
        if not self.session.over:
            for controls, given in zip(self._given.values(), unpacked(step), strict=True):
                controls.given = given
            self._step()

    def see_pauses(self) -> None:
        """Notes whether the game stands still, and tells the hub if that is because of this person."""
        super().see_pauses()
        why = super()._why_still or ""
        if why != self._said_still:
            self._said_still = why
            self._hub.say({"still": why or None})

    @property
    def _why_still(self) -> PauseReason | None:
        own = super()._why_still
        waits = self._other != HERE and not (self._preparation.waiting or self.counting or self.session.over)
        return own or ("partner" if waits else None)

    def _surrender(self, sure: bool | None) -> None:
        if sure:
            self._hub.say({"give_up": True})
        super()._surrender(sure)
