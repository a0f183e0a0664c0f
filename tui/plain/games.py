"""Games in plain mode: one that is watched, or played turn by turn."""

import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress

from bba.agents import HUMAN, Preparable
from bba.analysis import Advice, Adviser, Snapshot, TimelineData, TimelineMark, names, plan_news
from bba.errors import BBAError
from bba.kitchen import constants
from bba.language import marked, say
from bba.play import EGO, PARTNER, GameConfig
from bba.terminal_text import print_lines, visible_line
from human.keymap import INTERACT_DESCRIPTION, KEYS_IN_VAIN, LEFT_HAND, Key, Keymap, with_keys
from human.recordings import KEPT_STEPS, keep_watched
from human.session import Session
from tui.learn.lesson import (
    LessonSession,
    next_step,
)
from tui.plain.words import (
    WITH_WORDS,
    NamesBySeat,
    Typing,
    belief,
    happened,
    how_it_went,
    names_for,
    orders,
    show,
    tell,
    typing,
    understood,
    where,
    where_one_stands,
    why,
)
from tui.playback.best_scores import BestScores
from tui.playback.clock import Clock
from tui.playback.pauses import first_event
from tui.playback.source import PlaybackSource
from tui.screens.play import PlayScreen
from tui.screens.preparation import OPENING, preparation_text

ASKED = (
    Key("stand", ("l",), "", marked("where the cooks stand, what they face and hold")),
    Key("seek", ("f",), "", marked("where something is, as f rice; f alone names all there is")),
    Key("orders", ("o",), "", marked("step, score and open orders")),
    Key("mind", ("m",), "", "what is believed of the partner"),
    Key("why", ("y",), "", "the last replan, and why the ego, cook 1, does what it does"),
    Key("help", ("?",), "", marked("the keys")),
    Key("quit", ("q",), "", marked("end the game")),
)
PLAY = (
    *LEFT_HAND,
    Key("use", ("u",), "", INTERACT_DESCRIPTION),
    Key("stay", (".",), "", marked("let a step pass")),
    Key("skills", ("k",), "", marked("what you can do now; k with its number does it to its end")),
    Key("hint", ("h",), "", marked("a useful next thing, and the key for it")),
    *ASKED,
)
WATCH = (Key("pause_watching", ("p",), "", "pause, go on; Enter does the same"), *ASKED)
ACTIONS = {name: action for action, name in enumerate(constants.ACTION_NAMES)} | {"use": constants.INTERACT}


def walking_letters(letters: Mapping[str, str]) -> str:
    """Returns in a line which letters walk."""
    keys: dict[str, str] = {}
    for key, name in letters.items():
        keys.setdefault(name, key)
    walking = [keys[entry.name] for entry in LEFT_HAND[:4] if entry.name in keys]
    return say("these keys walk: {keys}", keys=" ".join(walking))


class Teller:
    """Answers what is asked about a game.

    Args:
        game: the game.
        typed: what is typed.
        entries: the keys.
        people: the seats of people.
    """

    def __init__(
        self, game: PlaybackSource | Session, typed: Typing, entries: tuple[Key, ...], people: tuple[int, ...] = ()
    ) -> None:
        self.game = game
        self.typed = typed
        self.entries = entries
        self.letters = {key: entry.name for entry in entries for key in entry.keys if len(key) == 1}
        typed.worded = [key for key, name in self.letters.items() if name in WITH_WORDS]
        self.seat = next(iter(people), None)
        self.names_by_seat = names_for(people)
        self._in_vain = 0  # how many lines in a row asked for nothing
        self.left = False  # whether the game was left before its end

    @property
    def snapshot(self) -> Snapshot:
        """The newest step."""
        return Snapshot(self.game.trace, len(self.game.trace.ticks), truth=self.seat is None)

    def take(self, line: str) -> None:
        """Does what a line or a key asks for, or says that it asks for nothing."""
        try:
            for name, rest in understood(line, self.letters):
                self.act(name, rest)
        except BBAError as error:
            tell(str(error))
            self._in_vain += 1
            if self._in_vain % KEYS_IN_VAIN == 0 and self.seat is not None:
                tell(walking_letters(self.letters))
        else:
            self._in_vain = 0

    def act(self, name: str, rest: str) -> None:
        """Does one action, with the words that followed it.

        Raises:
            BBAError: it cannot be done now.
        """
        match name:
            case "stand":
                seats = (EGO, PARTNER) if self.seat in (None, EGO) else (PARTNER, EGO)
                tell(*(where_one_stands(self.snapshot, seat, self.names_by_seat) for seat in seats))
            case "seek":
                tell(*where(self.snapshot, rest, self.names_by_seat, self.seat))
            case "orders":
                tell(orders(self.snapshot))
            case "mind":
                tell(belief(self.snapshot, self.names_by_seat))
            case "why":
                tell(why(self.snapshot))
            case "help":
                for entry in self.entries:
                    keys = ", ".join(key for key in entry.keys if len(key) == 1)
                    tell(say("key {keys}: {what}", keys=keys or entry.keys[0], what=say(entry.description)))
            case _:
                self.left = True


class Watching(Teller):
    """Tells a game step by step, and answers meanwhile.

    Args:
        source: the game.
        typed: what is typed.
        speed: steps a second; None for as fast as they are played.
        pauses: the events at which it pauses.
    """

    def __init__(
        self, source: PlaybackSource, typed: Typing, speed: float | None, pauses: Collection[TimelineMark] = ()
    ) -> None:
        super().__init__(source, typed, WATCH)
        self.source = source
        self.clock = Clock(speed)
        self._pauses = pauses
        self._due = 0.0
        self._data = TimelineData(source.trace)

    def run(self) -> None:
        """Tells the game until its end, or until it is left; a pause ends where nobody is left to end it."""
        while not (self.source.done or self.left):
            line = self.typed.read(None if self.clock.paused else max(0.0, self._due - time.monotonic()))
            if line is not None:
                self.take(line or "p")
            elif not self.clock.paused or self.typed.ended:
                self.clock.paused = False
                self._step()

    def act(self, name: str, rest: str) -> None:
        """Does one action: also pauses, and goes on."""
        if name == "pause_watching":
            self.clock.paused = not self.clock.paused
            tell("paused; Enter goes on" if self.clock.paused else "going on")
        else:
            super().act(name, rest)

    def _step(self) -> None:
        self._due = time.monotonic() + self.clock.beat
        step = self.source.step().step
        known_switches = len(self._data.switches)
        with suppress(BBAError):  # the game is written at its end in any case
            self.source.save_so_far()
        self._data.extend()
        new_switches = self._data.switches[known_switches:]
        switch = new_switches[0] if new_switches else None
        tell(*happened(self.source.trace, step, self.names_by_seat, switch))
        event = first_event(self._data, self._pauses, step - 1, step, truth=True)
        if event is not None:
            self.clock.paused = True
            mark = event[1]
            tell(f"paused at a {mark.value}; Enter goes on")


class Playing(Teller):
    """Plays a game turn by turn: each key is a step, a skill goes on to its end.

    Args:
        session: the game, with one person.
        typed: what is typed.
        keymap: the keys of every action.
        mind: whether it is told without a question what the agent believes.
        entries: the keys, which `keymap` may change.
    """

    tells_changes = True  # whether it says when the partner has changed its plan

    def __init__(
        self,
        session: Session,
        typed: Typing,
        keymap: Keymap,
        *,
        mind: bool = False,
        entries: tuple[Key, ...] = PLAY,
    ) -> None:
        super().__init__(session, typed, with_keys(entries, keymap), session.people)
        self.session = session
        self.player = session.people[0]
        self._mind = mind
        self._keymap = keymap
        self._adviser = Adviser(session.trace, self.player)
        self._keys = {ACTIONS[name]: key for key, name in self.letters.items() if name in ACTIONS}

    def run(self) -> None:
        """Plays until the end of the game, or of what is typed."""
        self.guide()
        while not self.session.over:
            line = self.typed.read()
            if line is None:
                return
            step = self.snapshot.step
            self.take(line or "l")
            if self.left:
                self.session.give_up()
            elif self.snapshot.step > step:
                stands = where_one_stands(self.snapshot, self.player, self.names_by_seat)
                tell(say("step {step}: {what}", step=self.snapshot.step, what=stands))
                self.guide()

    def act(self, name: str, rest: str) -> None:
        """Does one action: also steps, and skills; nothing once the game is over."""
        if self.session.over:
            return
        match name:
            case "skills":
                self._do(rest)
            case "hint":
                advice = self._adviser.advise()
                wordings = next_step(self.snapshot.config.layout, advice)
                tell(f"{names.skill(advice.skill)}: {self.way(wordings, advice)}")
            case "quit":
                self.left = self.sure(*PlayScreen.LEAVING)
            case _ if name in ACTIONS:
                if name != "stay":  # which asks for nothing, as on the screen
                    self.session.controls[self.player].press(ACTIONS[name])
                self._step()
            case _:
                super().act(name, rest)

    def sure(self, question: str, yes: str, no: str) -> bool:
        """Asks a question; returns whether it was answered with y."""
        show(say(question), f"y: {say(yes)}; n: {say(no)}")
        return (self.typed.read() or "").startswith("y")

    def guide(self) -> None:
        """Says what to do next, in a lesson."""

    def seen(self) -> None:
        """Takes in a step that was played."""

    def way(self, wordings: tuple[str, ...], advice: Advice | None) -> str:
        """Returns the next thing on the way, and the key for it."""
        wording = wordings[0] if wordings else say("wait")
        if advice is None or advice.action == constants.ACTION_STAY:
            return wording
        key = self._keys.get(advice.action)
        return say("{what}, key {key}", what=wording, key=key) if key else wording

    def _step(self) -> None:
        step = self.session.step().step
        self.seen()
        trace = self.session.trace
        tell(*happened(trace, step, self.names_by_seat, mind=self._mind))
        news = plan_news(trace, step)
        if news is not None and self.tells_changes and not self._mind:  # else the replan was told
            tell(news.text)

    def _do(self, skill_text: str) -> None:
        """Does a skill to its end, given its number or a part of its name; without one says what can be done."""
        mask = self.session.game.kitchen.mask(self.player)
        feasible = {
            skill: names.skill(skill)
            for skill in range(constants.N_SKILLS)
            if mask[skill] and skill != constants.SKILL_STAY
        }
        if not skill_text:
            skills = "; ".join(f"{skill}, {name}" for skill, name in feasible.items())
            tell(say("you can {skills}", skills=skills))
            return
        matches = [skill for skill, name in feasible.items() if skill_text in (str(skill), f"{skill:02}", name)]
        if not matches and not skill_text.isdigit():
            matches = [skill for skill, name in feasible.items() if skill_text in name.lower()]
        if len(matches) != 1:
            problem = say("more than one skill") if matches else say("not possible now")
            raise BBAError(f"{skill_text}: {problem}; {say('k says what you can do')}")
        self.session.controls[self.player].choose(matches[0])
        self._step()
        while not self.session.over and self.session.game.running(self.player) != constants.NO_SKILL:
            self._step()


# What the lesson says of the screen, and what plain mode says in its place.


# --- the commands ------------------------------------------------------------------------------------------------
def _begin(game: Preparable, config: GameConfig, names_by_seat: NamesBySeat) -> None:
    """Says what is played by whom, and prepares it."""
    agents = [(name, label) for name, label in zip(names_by_seat, config.labels, strict=True) if label != HUMAN]
    cooks = ", ".join(f"{name} is {label}" for name, label in agents)
    tell(f"kitchen {config.layout.name}, {config.horizon} steps; {cooks}; ? lists the keys")
    prepare(game)


def prepare(game: Preparable) -> None:
    """Prepares a game for its first step, which may take a while; one that a recording opens is told meanwhile."""
    if isinstance(game, PlaybackSource) and game.opens:
        tell(OPENING)
        threading.Thread(target=_prepare_quietly, args=(game,), daemon=True).start()
    elif not game.ready:
        tell(preparation_text())
        game.prepare()


def _prepare_quietly(game: Preparable) -> None:
    """Prepares a game; what is wrong is said by its first step without a recording."""
    with suppress(BBAError):
        game.prepare()


def watch(source: PlaybackSource, best: BestScores, speed: float | None, pauses: Collection[TimelineMark]) -> None:
    """Tells a game to its end, or until it is left; keeps it as the screen does.

    Args:
        source: the game.
        best: the best scores so far.
        speed: steps a second; None for as fast as they are played.
        pauses: the events at which it pauses, where there is somebody who can go on.

    Raises:
        BBAError: the game cannot go on.
    """
    with typing() as typed:
        watching = Watching(source, typed, speed, pauses)
        _begin(source, source.config, watching.names_by_seat)
        try:
            watching.run()
        finally:
            if source.file is None and not source.recorded and len(source.trace.ticks) > KEPT_STEPS:
                print_lines(f"recorded in {visible_line(keep_watched(source.trace))}")
        tell(*how_it_went(source.trace, best))


def play(session: Session, keymap: Keymap, best: BestScores, *, mind: bool) -> None:
    """Plays a game of one person to its end, then its debrief; the recording is kept whatever ends it.

    Raises:
        BBAError: the recording cannot be written.
    """
    with typing() as typed:
        run_session(Playing(session, typed, keymap, mind=mind))
    tell(*how_it_went(session.trace, best))


def run_session(playing: Playing) -> None:
    """Plays, and closes the session in any case."""
    session = playing.session
    try:
        _begin(session.game, session.trace.config, playing.names_by_seat)
        playing.run()
    finally:
        session.close()
        if session.trace.ticks and not isinstance(session, LessonSession):
            print_lines(f"recorded in {visible_line(session.path)}")
