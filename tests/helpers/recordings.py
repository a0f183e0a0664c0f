"""Games from stored recordings, which no change of the scripted planner alters."""

from pathlib import Path

from bba.play import Replay, load
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback


def source_of(file: Path, start: int | None = None) -> PlaybackSource:
    """The game of a recording as one that is still being played; it has played `start` steps, or all recorded ones."""
    replay = Replay(load(file))
    while not replay.done:
        replay.step()
    whole = replay.trace
    return PlaybackSource(lambda: TracePlayback(whole, len(whole.ticks) if start is None else start))
