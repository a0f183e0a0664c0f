"""Words in plain mode: what is typed, keys that act at once or lines, and what is said of a game, in sentences.

Tiles are (column, row), counted from 0 at the top left.
"""

import os
import re
import select
import shutil
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from textwrap import fill
from typing import Any, TextIO

import numpy as np
from textual.content import Content

from bba.agents import HUMAN
from bba.analysis import (
    DONE,
    CookNames,
    GameEvent,
    RoleChange,
    Snapshot,
    belief_texts,
    caption_at,
    cook_names,
    events_of,
    highlight_text,
    highlights,
    last_replan,
    names,
    partner_reading,
    percent,
    plain_text,
    reading_sentences,
    replan_texts,
    replans_until,
    response_text,
    worth_sentence,
)
from bba.errors import BBAError
from bba.kitchen import UNREACHABLE, Position, constants, grid_of
from bba.language import marked, say
from bba.play import EGO, PARTNER, Trace
from human.keymap import LEFT_HAND, meant
from tui.playback.best_scores import BestScores
from tui.screens.debrief import measure_lines
from tui.widgets.events import ScoreStanding
from tui.widgets.player_panels import DECLARATIONS, ahead_words
from tui.widgets.tile_text import COOKS, tile_words

MOST_FOUND = 6  # places that are named of what was asked for
DIRECTIONS = marked({"north": "north", "south": "south", "east": "east", "west": "west"})

NamesBySeat = tuple[str, str]  # what the two cooks are called


def names_for(people: Collection[int]) -> NamesBySeat:
    """Returns what the cooks are called, to the people in these seats."""
    first, second = (say("you") if seat in people else say("your partner") for seat in (EGO, PARTNER))
    return (first, second) if people else ("the ego", "its partner")


# --- what happens ------------------------------------------------------------------------------------------------
def happened(
    trace: Trace, step: int, names_by_seat: NamesBySeat, switch: RoleChange | None = None, *, mind: bool = True
) -> Iterator[str]:
    """Yields what happened in a step, if anything did, as a sentence without its end.

    Args:
        trace: the game.
        step: the step, 1 for the first.
        names_by_seat: what the cooks are called.
        switch: the partner's switch that is known from this step on.
        mind: whether to say what only a look into the ego's mind shows.
    """
    events = sorted(events_of(trace, step, switch), key=lambda event: event.kind in DONE)
    clauses = [_event_clause(trace, step, event, names_by_seat, mind=mind) for event in events]
    text = "; ".join(clause for clause in clauses if clause)
    if text:
        yield say("step {step}: {what}", step=step, what=text)


# What everybody sees; the other events show themselves only in the ego's mind.
SEEN_EVENTS = (*DONE, "fire", "order lost")


def _event_clause(trace: Trace, step: int, event: GameEvent, names_by_seat: NamesBySeat, *, mind: bool) -> str:
    """Returns what happened, in words; "" for what is not said."""
    if event.kind == "completed" and event.number == constants.SERVE:
        return ""  # the delivery tells more
    if not mind and event.kind not in SEEN_EVENTS:
        return ""
    name = names_by_seat[event.cook] if event.cook is not None else ""
    caption = replan_texts(trace, step, cook_names(trace.config.agents))[1] if event.kind == "replan" else ""
    clause = plain_text(event, name, caption)
    if not mind or event.kind != "completed" or event.cook != PARTNER:
        return clause
    snapshot = Snapshot(trace, step)
    by_observer = snapshot.belief_state is not None and snapshot.belief_state.observer
    believer = "by an observer " if by_observer else ""
    return f"{clause}; believed {believer}{_believed(snapshot, 1)}"


def _believed(snapshot: Snapshot, most: int = 3) -> str:
    shares = snapshot.posterior
    ranked = sorted(range(len(shares)), key=lambda role: -shares[role])[:most]
    return "; ".join(f"to {DECLARATIONS[role]} ({percent(shares[role])})" for role in ranked)


# --- answers -----------------------------------------------------------------------------------------------------
def where_one_stands(snapshot: Snapshot, seat: int, names_by_seat: NamesBySeat) -> str:
    """Returns where a cook stands, what is in front of it and what it holds."""
    player = snapshot.scene.players[seat]
    x, y = player.position
    facing = say(DIRECTIONS[player.facing])
    ahead = _named(ahead_words(snapshot, seat), names_by_seat)
    held = names.item(player.held)
    parts = {"x": x, "y": y, "facing": facing, "ahead": ahead, "thing": held}
    if names_by_seat[seat] == say("you"):
        return say("you stand at ({x},{y}), facing {facing}: {ahead}; hold {thing}", **parts)
    return say("{cook} stands at ({x},{y}), facing {facing}: {ahead}; holds {thing}", cook=names_by_seat[seat], **parts)


def orders(snapshot: Snapshot) -> str:
    """Returns step, score and the open orders, the first one first."""
    scene = snapshot.scene
    open_orders = [
        say("{dish}, {steps} steps left", dish=names.item(order.dish), steps=order.left) for order in scene.orders
    ]
    return say(
        "step {step} of {horizon}, score {score}, orders: {orders}",
        step=scene.step,
        horizon=snapshot.config.horizon,
        score=scene.score,
        orders="; ".join(open_orders) or say("none"),
    )


def where(snapshot: Snapshot, words: str, names_by_seat: NamesBySeat, seat: int | None = None) -> Iterator[str]:
    """Yields where something is, the nearest place first, and how far from the cook in a seat.

    Args:
        snapshot: the game.
        words: a part of the name of a station, a thing or a cook; "" for all that is no bare counter.
        names_by_seat: what the cooks are called.
        seat: the seat; None to say no distance.
    """
    layout = snapshot.config.layout
    scene = snapshot.scene
    matches = list[tuple[int, str]]()  # the steps to each, and its text
    start = scene.players[seat or EGO].position
    grid = grid_of(layout)
    index = start[1] * layout.width + start[0]
    steps_to = np.where(grid.kind == constants.FLOOR, grid.distance[:, index], grid.distance_to_adjacent[:, index])
    for number, (position, _) in enumerate(layout.tiles()):
        place, _, thing = _named(tile_words(layout, scene, position), names_by_seat).partition(" ")
        if words:
            matching = words.rstrip("s") in thing.lower()
        else:
            matching = thing not in (say("floor"), say("counter"))
        if matching:
            steps = int(steps_to[number])
            text = say("{what} at {place}", what=thing, place=place)
            if seat is not None:
                text += f", {_direction(start, position)}, {_distance(steps)}"
            matches.append((steps, text))
    matches.sort()
    most = MOST_FOUND if words else len(matches)
    for _, text in matches[:most]:
        yield text
    if len(matches) > most:
        yield say("and {number} more", number=len(matches) - most)
    if not matches:
        yield say("nothing here is called {words}; f alone names all there is", words=words)


def belief(snapshot: Snapshot, names_by_seat: NamesBySeat) -> str:
    """Returns what is believed of the partner and what comes of it, then the likeliest roles."""
    if snapshot.belief_state is None:
        return "nothing is believed before the first step"
    ego, partner = names_by_seat
    texts = belief_texts(snapshot, CookNames(partner, f"{partner}'s", ego))
    return f"{texts[0]} The likeliest work: {_believed(snapshot)}"


def why(snapshot: Snapshot) -> str:
    """Returns the last replan in full, and why the ego's planner chose what the ego does, if it has one."""
    if replans_until(snapshot.trace, snapshot.step) is None:
        return "cook 1 takes up its skills at will; it has no plan that is interrupted"
    step = last_replan(snapshot.trace, snapshot.step, snapshot.step)
    named = cook_names(snapshot.trace.config.agents)
    replan = f"{named.ego} has not replanned"
    if step:
        replan = f"step {step}: {replan_texts(snapshot.trace, step, named)[0]}"
    reason = caption_at(snapshot, sys.maxsize, named)
    return f"{replan} Last choice: {reason}" if reason else replan


def _named(text: str, names_by_seat: NamesBySeat) -> str:
    return text.replace(say(COOKS[0]), names_by_seat[0]).replace(say(COOKS[1]), names_by_seat[1])


def _distance(steps: int) -> str:
    if steps >= UNREACHABLE:
        return say("out of reach")
    if steps == 0:
        return say("no step to it")
    return say("1 step to it") if steps == 1 else say("{steps} steps to it", steps=steps)


def _direction(start: Position, end: Position) -> str:
    across = end[0] - start[0]
    down = end[1] - start[1]
    legs: list[str] = []
    if across:
        direction = "east" if across > 0 else "west"
        legs.append(say("{steps} {direction}", steps=abs(across), direction=say(DIRECTIONS[direction])))
    if down:
        direction = "south" if down > 0 else "north"
        legs.append(say("{steps} {direction}", steps=abs(down), direction=say(DIRECTIONS[direction])))
    return ", ".join(legs) or say("here")


# --- how it went -------------------------------------------------------------------------------------------------
def how_it_went(trace: Trace, best: BestScores) -> Iterator[str]:
    """Yields what came of a game and how that compares, then for people its measures, switches and steps worth a look.

    To find out what the ego would have reached without a belief takes seconds.
    """
    standing = ScoreStanding(trace, best)
    if not trace.ticks:
        yield "no step was played"
        return
    standing.compare()
    reading = partner_reading(trace)
    yield from reading_sentences(trace, reading)
    if standing.reference is not None:
        yield worth_sentence(trace, standing.reference)
    yield from map(_flat, standing.lines())
    if HUMAN not in trace.config.agents:
        return
    named = cook_names(trace.config.agents)
    yield from map(_flat, measure_lines(trace, explained=False))
    for response in reading.responses:
        yield response_text(response, named, own=reading.own)
    for highlight in highlights(trace):
        text = highlight_text(highlight, named, own=reading.own)
        yield f"worth a look, step {highlight.step}: {text}"


def _flat(text: Content) -> str:
    return re.sub(r"\s{2,}", ": ", text.plain.strip(), count=1)


ENDS = (".", "?", "!", ":", "。", "？", "！", "：")  # of sentences
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


def tell(*texts: str) -> None:
    """Prints sentences at once; what a terminal would obey, as in a model's answer, is left out."""
    show(*map(sentence, texts))


def show(*texts: str) -> None:
    """Prints texts as they are at once, but for what a terminal would obey; in a terminal no word is broken."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in "\n".join(texts).split("\n") if texts else ():
        printable = _printable(line)
        if width is not None:
            printable = fill(printable, width, break_long_words=False)
        sys.stdout.write(printable + "\n")
    sys.stdout.flush()


def sentence(text: str) -> str:
    """Returns a text as a sentence in one line."""
    printable = _printable(text)
    end = "" if printable.endswith(ENDS) else say(".")
    return f"{printable[:1].upper()}{printable[1:]}{end}"


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())


LOCAL_MODES = 3  # the place of these in the attributes of a terminal


class Typing:
    """Reads what is typed: a key at a time where `single`, else a line at a time.

    Args:
        stream: where it is typed; None for nowhere.
        terminal: the attributes of a terminal on which each key can count at once; None for none.

    Attributes:
        worded: keys that do not count at once, since words may follow them.
        interrupt: what Ctrl+C is read as; None where it interrupts the program.
        ended: whether nothing more comes.
    """

    worded: Collection[str] = ()
    interrupt: str | None = None

    def __init__(self, stream: TextIO | None, terminal: list[Any] | None = None) -> None:
        self.ended = stream is None
        self._single = False
        self._waiting = ""
        self._descriptor = -1 if stream is None else stream.fileno()
        self._terminal = terminal
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")

    def by_key(self, single: bool) -> None:
        """Lets each key count at once, without Enter, or takes lines; what a terminal was typed before is dropped."""
        if self._terminal is not None:
            self._single = single
            self._waiting = ""
            attributes = list(self._terminal)
            if single:
                attributes[LOCAL_MODES] &= ~termios.ICANON
            termios.tcsetattr(self._descriptor, termios.TCSAFLUSH, attributes)

    def read(self, timeout: float | None = None) -> str | None:
        """Returns the next line or key, Enter alone as ""; None at the end, or if none comes in `timeout` seconds."""
        while True:
            at_once = self._single and self._waiting[:1] not in ("", *self.worded)
            size = 1 if at_once else self._waiting.find("\n") + 1
            if size:
                text = self._waiting[:size]
                self._waiting = self._waiting[size:]
                if at_once and text != "\n":
                    sys.stdout.write("\n")  # the terminal has shown the key
                return "u" if text == " " else text.rstrip("\n")
            if self.ended:
                time.sleep(timeout or 0.0)
                return None
            try:
                if not self._comes_within(timeout):
                    return None
                self._take()
            except KeyboardInterrupt as error:
                if self.interrupt is None or type(error) is not KeyboardInterrupt:  # one of its kinds is a SIGTERM
                    raise
                self._waiting = ""
                return self.interrupt

    def _comes_within(self, timeout: float | None) -> bool:
        """Whether something comes in so many seconds; None waits for ever."""
        poll = select.poll()  # which takes every descriptor; `select.select` takes none from 1,024 on
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(None if timeout is None else timeout * 1000))

    def _take(self) -> None:
        data = os.read(self._descriptor, select.PIPE_BUF)
        self.ended = data in END
        if not self.ended:
            self._waiting += self._decoder.decode(data)
        elif self._waiting:
            self._waiting += "\n"
        if self._single:
            for sequence, key in SPELT.items():
                self._waiting = self._waiting.replace(sequence, key)


@contextmanager
def typing(*, by_key: bool = True) -> Iterator[Typing]:
    """Reads standard input in the block: key by key on a terminal that can do so and if `by_key`, else line by line."""
    stream = sys.stdin
    if stream is None or not stream.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        yield Typing(stream)
        return
    attributes = termios.tcgetattr(stream)
    typed = Typing(stream, attributes)
    typed.by_key(by_key)
    try:
        yield typed
    finally:
        termios.tcsetattr(stream, termios.TCSANOW, attributes)


WALKS = {entry.name for entry in LEFT_HAND}  # the actions that walk, by their names


def understood(typed: str, letters: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the actions that a line or key asks for, in order, each with the words that follow it.

    Args:
        typed: what was typed.
        letters: the action of each key.

    Raises:
        BBAError: it is neither a question nor made of keys; then nothing of it counts.
    """
    text = typed.strip().lower()
    for question, action in QUESTIONS.items():
        if text.startswith(question) and action in letters.values():
            return [(action, BEFORE.sub("", text.removeprefix(question).strip(" ?")))]
    first, _, rest = text.partition(" ")
    if letters.get(first) in WITH_WORDS:
        return [(letters[first], rest.strip())]
    walks = {key for key, name in letters.items() if name in WALKS}
    keys = [meant(key, walks, letters) for key in typed.replace(" ", "")]
    for key in keys:
        if key not in letters:
            name = key if key.isprintable() else say("a control key")
            raise BBAError(say("{key}: no such key, and nothing was done; ? lists the keys", key=name))
    return [(letters[key], "") for key in keys]
