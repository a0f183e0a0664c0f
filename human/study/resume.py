"""A game that goes on where its recording ends."""

from bba.errors import BBAError
from bba.play import Replay, load
from human.session import Session


def go_on(session: Session) -> int:
    """Bring a session to the end of its recording, if there is one; returns after how many steps that is.

    Raises:
        BBAError: the recording cannot be read, or its game was set up or played otherwise than this one.
    """
    if not session.path.exists():
        return 0
    past = Replay(load(session.path), str(session.path)).run()
    if past.config != session.trace.config:
        raise BBAError(f"{session.path}: was played with other settings than these; the game cannot go on with them")
    for tick in past.ticks:
        session.game.replay_step(tick)
    return len(past.ticks)
