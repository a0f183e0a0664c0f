"""The room of one game of two people: it collects their inputs and tells both, step by step, what to play.

Each person's process plays the game by itself, from the same inputs: so both see the same world. The clock runs only
while both are connected, have counted down, and neither stands still; what is to be played is then sent to both. Who
comes back is sent the steps that they have missed.
"""

import asyncio
from collections.abc import Callable

from bba.agents.human import Controls
from human.pair.messages import Inputs, Message, packed, unpacked

Tell = Callable[[Message], None]


class Room:
    """One game of a pair.

    Args:
        horizon: steps of the game.
        speed: steps a second.
        patience: seconds to wait for somebody who is missing, after which the game ends for the other.
    """

    def __init__(self, horizon: int, speed: float, patience: float) -> None:
        self._horizon, self._speed, self._patience = horizon, speed, patience
        self._controls = (Controls(), Controls())
        self._tell: dict[int, Tell] = {}  # of those who are connected, by seat
        self._ready: set[int] = set()
        self._still: dict[int, str] = {}
        self._told: dict[int, str] = {}
        self._waiting: asyncio.TimerHandle | None = None
        self._clock: asyncio.Task[None] | None = None
        self.played: list[Inputs] = []
        self.given_up = False

    def join(self, seat: int, tell: Tell, steps: list[list[list[int | None]]]) -> None:
        """Lets somebody in who has played these steps, and sends the ones that they lack."""
        known = len(self.played)
        if len(steps) > known:  # this hub is younger than the game: the others get what it did not know
            self.played += [unpacked(step) for step in steps[known:]]
            self._tell_all(self._steps_from(known))
        self._tell[seat] = tell
        self._controls[seat].clear()
        tell(self._steps_from(len(steps)))
        self._look()

    def leave(self, seat: int, tell: Tell) -> None:
        """Notes that a connection was lost; the game stands still for the other."""
        if self._tell.get(seat) is tell:
            del self._tell[seat]
            self._ready.discard(seat)
            self._still.pop(seat, None)
            self._look()

    def hear(self, seat: int, message: Message) -> None:
        """Takes what a person's process says."""
        controls = self._controls[seat]
        match message:
            case {"press": int(action)}:
                controls.press(action)
            case {"choose": int(skill)}:
                controls.choose(skill)
            case {"declare": int(role)}:
                controls.declare(role)
            case {"ready": True}:
                self._ready.add(seat)
            case {"still": str(why)}:
                self._still[seat] = why
            case {"still": None}:
                self._still.pop(seat, None)
            case {"give_up": True}:
                self._end()
        self._look()

    def close(self) -> None:
        """Ends the clock."""
        for running in (self._clock, self._waiting):
            if running is not None:
                running.cancel()

    @property
    def over(self) -> bool:
        """Whether the game has ended: at its horizon, or given up."""
        return self.given_up or len(self.played) >= self._horizon

    def _look(self) -> None:
        """Tells both how things stand if that has changed; the clock and the wait for who is missing follow."""
        both = len(self._tell) == 2
        states = {seat: self._still.get(1 - seat, "here") if both else "lost" for seat in self._tell}
        for seat, tell in self._tell.items():
            if self._told.get(seat) != states[seat]:
                tell({"partner": states[seat]})
        self._told = states
        if self.given_up:
            self._tell_all({"given_up": True})
        self._wait(missing=len(self._tell) == 1 and not self.over)
        self._keep_time(both=both and not self.over)

    def _keep_time(self, *, both: bool) -> None:
        """Starts the clock, or stops it: an empty room takes no time."""
        if both and self._clock is None:
            self._clock = asyncio.get_running_loop().create_task(self._run())
        elif not both and self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _wait(self, *, missing: bool) -> None:
        """Starts the wait for somebody who is missing, or ends it."""
        if missing and self._waiting is None:
            self._waiting = asyncio.get_running_loop().call_later(self._patience, self._end)
        elif not missing and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _end(self) -> None:
        """Ends the game for both: one of them has given up, or was missing for too long."""
        self.given_up = True
        self._tell_all({"given_up": True})

    async def _run(self) -> None:
        """Plays a step at every beat in which nobody is missing and nobody stands still."""
        loop = asyncio.get_running_loop()
        beat = loop.time()
        while not self.over:
            beat = max(beat + 1 / self._speed, loop.time())  # a beat that was missed is not made up for
            await asyncio.sleep(beat - loop.time())
            if len(self._ready & set(self._tell)) == 2 and not self._still and not self.over:
                self._step()

    def _step(self) -> None:
        first, second = (controls.take() for controls in self._controls)
        self.played.append((first, second))
        self._tell_all(self._steps_from(len(self.played) - 1))

    def _steps_from(self, first: int) -> Message:
        return {"from": first, "steps": [packed(inputs) for inputs in self.played[first:]]}

    def _tell_all(self, message: Message) -> None:
        for tell in list(self._tell.values()):
            tell(message)
