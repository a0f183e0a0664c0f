"""Words in plain mode: what is typed, keys that act at once or lines, and what is said of a game, in sentences.

Tiles are (column, row), counted from 0 at the top left.
"""

import os
import re
import select
import sys
import termios
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

import numpy as np
from textual.content import Content

from bba.agents import HUMAN
from bba.analysis import (
    DONE,
    GameEvent,
    RoleChange,
    Snapshot,
    event_in_words,
    events_of,
    highlights,
    last_replan,
    names,
    switch_responses,
    with_inferred_skills,
)
from bba.analysis.captions import caption_at, replan_texts
from bba.errors import BBAError
from bba.kitchen import UNREACHABLE, Position, constants, grid_of
from bba.play import EGO, PARTNER, Trace, step_arrays
from tui.playback.source import BestScores, reference_score
from tui.screens.debrief import cooks, highlight_text, measure_lines
from tui.widgets.events import Standing
from tui.widgets.kitchen_panels import DECLARATIONS, ahead_words
from tui.widgets.tile_text import COOKS, tile_words

MOST_FOUND = 6  # places that are named of what was asked for

Who = tuple[str, str]  # what the two cooks are called


def called(people: Collection[int]) -> Who:
    """Returns what the cooks are called, to the people in these seats."""
    first, second = ("you" if seat in people else "your partner" for seat in (EGO, PARTNER))
    return (first, second) if people else ("the ego", "its partner")


# --- what happens ------------------------------------------------------------------------------------------------
def happened(
    trace: Trace, step: int, who: Who, switch: RoleChange | None = None, *, mind: bool = True
) -> Iterator[str]:
    """Yields what happened in a step, if anything did, as a sentence without its end.

    Args:
        trace: the game.
        step: the step, 1 for the first.
        who: what the cooks are called.
        switch: the partner's switch that is known from this step on.
        mind: whether to say what only a look into the ego's mind shows.
    """
    events = sorted(events_of(trace, step, switch), key=lambda event: event.kind in DONE)
    told = "; ".join(filter(None, (_told(trace, step, event, who, mind=mind) for event in events)))
    if told:
        yield f"step {step}: {told}"


def _told(trace: Trace, step: int, event: GameEvent, who: Who, *, mind: bool) -> str:
    name, now = who[event.cook] if event.cook is not None else "", Snapshot(trace, step)
    you = name == "you"
    match event.kind:
        case "completed" if event.number == constants.SERVE:
            return ""  # the delivery tells more
        case "completed":
            does = f"{name} {'finish' if you else 'finishes'} {names.skill_doing(event.number)}"
            return f"{does}; believed {_believed(now, 1)}" if mind and event.cook == PARTNER else does
        case "delivery":
            return f"{name} {'serve' if you else 'serves'}: {event_in_words(trace, trace.ticks[step - 1], event)[0]}"
        case "fire" | "order lost":
            return event_in_words(trace, trace.ticks[step - 1], event)[0]
        case "replan" if mind:
            return f"{name} replans. {replan_texts(trace, step)[1]}"
        case _ if mind:
            return f"{name} {event_in_words(trace, trace.ticks[step - 1], event)[0]}"
    return ""


def _believed(snapshot: Snapshot, most: int = 3) -> str:
    shares = snapshot.posterior
    ranked = sorted(range(len(shares)), key=lambda role: -shares[role])[:most]
    return "; ".join(f"to {DECLARATIONS[role]}, {shares[role]:.2f}" for role in ranked)


# --- answers -----------------------------------------------------------------------------------------------------
def where_one_stands(snapshot: Snapshot, seat: int, who: Who) -> str:
    """Returns where a cook stands, what is in front of it and what it holds."""
    player, s = snapshot.scene.players[seat], "" if who[seat] == "you" else "s"
    (x, y), ahead, held = player.position, _named(ahead_words(snapshot, seat), who), names.item(player.held)
    return f"{who[seat]} stand{s} at ({x},{y}), facing {player.facing}: {ahead}; hold{s} {held}"


def orders(snapshot: Snapshot) -> str:
    """Returns step, score and the open orders, the first one first."""
    scene = snapshot.scene
    open_now = "; ".join(f"{names.item(order.dish)}, {order.left} steps left" for order in scene.orders) or "none"
    return f"step {scene.step} of {snapshot.config.horizon}, score {scene.score}, orders: {open_now}"


def where(snapshot: Snapshot, words: str, who: Who, seat: int | None = None) -> Iterator[str]:
    """Yields where something is, the nearest place first, and how far from the cook in a seat.

    Args:
        snapshot: the game.
        words: a part of the name of a station, a thing or a cook; "" for all that is no bare counter.
        who: what the cooks are called.
        seat: the seat; None to say no distance.
    """
    layout, scene, found = snapshot.config.layout, snapshot.scene, list[tuple[int, str]]()
    here = scene.players[seat or EGO].position
    grid, index = grid_of(layout), here[1] * layout.width + here[0]
    steps_to = np.where(grid.kind == constants.FLOOR, grid.distance[:, index], grid.distance_to_adjacent[:, index])
    for number, (at, _) in enumerate(layout.tiles()):
        place, _, what = _named(tile_words(layout, scene, at), who).partition(" ")
        steps = int(steps_to[number])
        far = "out of reach" if steps >= UNREACHABLE else f"{steps or 'no'} step{'s' * (steps != 1)} to it"
        if words.rstrip("s") in what if words else what not in ("floor", "counter"):
            way = f", {_direction(here, at)}, {far}" if seat is not None else ""
            found.append((steps, f"{what} at {place}{way}"))
    found.sort()
    yield from (text for _, text in found[: MOST_FOUND if words else None])
    if words and len(found) > MOST_FOUND:
        yield f"and {len(found) - MOST_FOUND} more"
    if not found:
        yield f"nothing here is called {words}; f alone names all there is"


def belief(snapshot: Snapshot, who: Who) -> str:
    """Returns what is believed of the partner, the likeliest roles first."""
    if snapshot.belief_state is None:
        return "nothing is believed before the first step"
    return (
        f"{'an observer' if snapshot.belief_state.observer else who[EGO]} believes {who[PARTNER]} {_believed(snapshot)}"
    )


def why(snapshot: Snapshot) -> str:
    """Returns the last replan in full, and why the ego's planner chose what the ego does."""
    step = last_replan(snapshot.trace, snapshot.step, snapshot.step)
    replan = f"step {step}: {replan_texts(snapshot.trace, step)[0]}" if step else "the ego has not replanned"
    reason = caption_at(snapshot, sys.maxsize)
    return f"{replan} Last choice: {reason}" if reason else replan


def _named(text: str, who: Who) -> str:
    return text.replace(COOKS[0], who[0]).replace(COOKS[1], who[1])


def _direction(here: Position, there: Position) -> str:
    across, down = there[0] - here[0], there[1] - here[1]
    parts = (across, "east" if across > 0 else "west"), (down, "south" if down > 0 else "north")
    return ", ".join(f"{abs(number)} {name}" for number, name in parts if number) or "here"


# --- how it went -------------------------------------------------------------------------------------------------
def how_it_went(trace: Trace, best: BestScores) -> Iterator[str]:
    """Yields what came of a game and how that compares, then for people its measures, switches and steps worth a look.

    To find out what two plain cooks would have reached takes seconds.
    """
    standing, named = Standing(trace, best), cooks(trace.config.agents)
    if not trace.ticks:
        yield "no step was played"
        return
    standing.reference = reference_score(trace)
    yield from map(_flat, standing.lines())
    if HUMAN not in trace.config.agents:
        return
    trace = with_inferred_skills(trace)
    yield from map(_flat, measure_lines(trace))
    for one in switch_responses(step_arrays(trace.ticks)):
        noticed, followed = ("never" if n is None else f"after {n} steps" for n in (one.noticed, one.complemented))
        turned = f"step {one.start + 1}: {named.who} turned to {names.role(one.role)}"
        yield f"{turned}; the observer believed it {noticed}, {named.whose} action followed {followed}"
    looks = [highlight_text(found, None, named).split(maxsplit=1) for found in highlights(trace)]
    yield from (f"worth a look, step {step}: {text}" for step, text in looks)


def _flat(text: Content) -> str:
    return re.sub(r"\s{2,}", ": ", text.plain.strip(), count=1)


END = (b"", b"\x04")  # the end of what is typed: of a file, and Ctrl+D where each key counts at once
# What terminals send, as a line would have it.
SPELT = {"\x1b[A": "w", "\x1b[B": "s", "\x1b[C": "d", "\x1b[D": "a", "\r": "\n"}
QUESTIONS = {  # how a line begins: the action that it asks for
    "where am i": "stand",
    "where": "seek",
    "what can i do": "skills",
    "what does it believe": "mind",
    "why": "why",
    "help": "help",
}
BEFORE = re.compile(r"^(?:(?:is|are|the|a|an|my)\s+)*")  # words before what is looked for
WITH_WORDS = ("seek", "skills")  # actions after which words may follow


def say(*texts: str) -> None:
    """Prints sentences at once; what a terminal would obey, as in a model's answer, is left out."""
    for text in texts:
        shown = "".join(char for char in text if char.isprintable())
        sys.stdout.write(f"{shown[:1].upper()}{shown[1:]}{'' if shown.endswith(('.', '?', '!', ':')) else '.'}\n")
    sys.stdout.flush()


class Typing:
    """Reads what is typed: a key at a time where `single`, else a line at a time.

    Args:
        stream: where it is typed; None for nowhere.
        single: whether each key counts at once, without Enter, but for those in `worded`; for a terminal alone.
    """

    worded: Collection[str] = ()

    def __init__(self, stream: TextIO | None, *, single: bool = False) -> None:
        self.ended, self._single, self._waiting = stream is None, single, ""
        self._descriptor = -1 if stream is None else stream.fileno()

    def read(self, timeout: float | None = None) -> str | None:
        """Returns the next line or key, Enter alone as ""; None at the end, or if none comes in `timeout` seconds."""
        while True:
            at_once = self._single and self._waiting[:1] not in ("", *self.worded)
            size = 1 if at_once else self._waiting.find("\n") + 1
            if size:
                taken, self._waiting = self._waiting[:size], self._waiting[size:]
                if at_once and taken != "\n":
                    sys.stdout.write("\n")  # the terminal has shown the key
                return "u" if taken == " " else taken.rstrip("\n")
            if self.ended:
                time.sleep(timeout or 0.0)
                return None
            if not select.select([self._descriptor], [], [], timeout)[0]:
                return None
            self._take()

    def _take(self) -> None:
        data = os.read(self._descriptor, select.PIPE_BUF)
        self.ended = data in END
        self._waiting += "\n" * bool(self._waiting) if self.ended else data.decode(errors="replace")
        for sent, key in SPELT.items() if self._single else ():
            self._waiting = self._waiting.replace(sent, key)


@contextmanager
def typing() -> Iterator[Typing]:
    """Reads standard input in the block: key by key on a terminal that can do so, else line by line."""
    stream = sys.stdin
    if stream is None or not stream.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        yield Typing(stream)
        return
    before = termios.tcgetattr(stream)
    termios.tcsetattr(stream, termios.TCSANOW, [*before[:3], before[3] & ~termios.ICANON, *before[4:]])
    try:
        yield Typing(stream, single=True)
    finally:
        termios.tcsetattr(stream, termios.TCSANOW, before)


def understood(typed: str, letters: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the actions that a line or key asks for, in order, each with the words that follow it.

    Args:
        typed: what was typed.
        letters: the action of each key.

    Raises:
        BBAError: it is neither a question nor made of keys; then nothing of it counts.
    """
    text = typed.strip().lower()
    asked = next((start for start in QUESTIONS if text.startswith(start)), None)
    if asked is not None:
        return [(QUESTIONS[asked], BEFORE.sub("", text.removeprefix(asked).strip(" ?")))]
    first, _, rest = text.partition(" ")
    if letters.get(first) in WITH_WORDS:
        return [(letters[first], rest.strip())]
    keys = typed.replace(" ", "")
    wrong = next((key for key in keys if key not in letters), None)
    if wrong is not None:
        shown = wrong if wrong.isprintable() else "a control key"
        raise BBAError(f"{shown}: no such key, and nothing was done; ? lists the keys")
    return [(letters[key], "") for key in keys]
