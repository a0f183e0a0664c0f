"""Somebody who takes part in a study by reading a screen and pressing keys; and what they did on purpose."""

import asyncio
import random
import re
from datetime import UTC, datetime
from itertools import cycle
from typing import NamedTuple

GAME_KEYS = ("w", "a", "s", "d", "space", "left", "right", "up", "down")
MASHED = (*GAME_KEYS, "enter", "tab", "1", "4", "7", "full_stop")  # also keys that answer questions
PACE = 0.2  # seconds between two keys of a game
PAUSE = 1.5  # seconds for which a pause lasts at least
PAGES = ("Welcome back", "Cook as many burritos", "You may rest", "That was all.")  # that one only leaves
PATIENCE = 240.0  # seconds in which a page must change


class Intent(NamedTuple):
    """An answer that somebody meant: to which question, on which game (0 for none), its value, and when."""

    question: str
    game: int
    value: object
    at: datetime


class Person:
    """Takes part in a study until its end.

    Args:
        code: the participant's code.
        hands: a terminal or a browser.
        seed: decides what is random.
        plan: the keys of the games, pressed again and again; none to press keys at random.
        disturbances: how often this is killed, disconnected or loaded anew.
    """

    def __init__(self, code, hands, seed, plan=(), disturbances=3) -> None:
        self.code, self._hands, self._rng = code, hands, random.Random(seed)
        self._plan = cycle(plan) if plan else None
        self._left = disturbances
        self.intents, self.keys, self.pauses, self.disturbed = [], [], [], []
        self.backs = 0
        self._text = ""

    async def take_part(self) -> None:
        while True:
            await self._look()
            if self._hands.done:
                return
            if self._left and self._rng.random() < self._chance:
                await self._be_disturbed()
            else:
                await self._act()

    @property
    def _chance(self) -> float:
        """How likely something happens now: games have many looks, pages few."""
        on_a_page = self._shows("Go on") and not self._shows("You have left")
        return 0.02 if self._in_game else 0.12 if on_a_page else 0.0

    async def _be_disturbed(self) -> None:
        self._left -= 1
        how = self._rng.choice(self._hands.DISTURBANCES)
        self.disturbed.append((how, self._in_game))
        await self._hands.disturb(how)

    async def _look(self) -> None:
        await asyncio.sleep(0.05)
        self._text = await self._hands.look()

    def _shows(self, *words) -> bool:
        return all(word in self._text for word in words)

    @property
    def _in_game(self) -> int:
        """The number of the game on the screen; 0 if there is none, or it is covered."""
        found = re.search(r"^ game (\d) of \d", self._text, re.M)
        return int(found[1]) if found and not self._shows("Leave here?") else 0

    async def _act(self) -> None:
        if self._shows("tab leads to the buttons"):
            await self._answer()
        elif self._shows("Game over"):
            await self._rest()
        elif self._shows("I do not agree"):
            await self._press("tab", "enter")
            await self._gone("I do not agree")
        elif self._shows("the code that you were given"):
            await self._press(*self.code.lower(), "enter")
            await self._gone("the code that you were given")
        elif self._shows("You have left"):  # by keys that were pressed on and on after a game
            await self._press("tab", "enter")
            await self._gone("You have left")
        elif self._in_game:
            await self._play()
        elif any(self._shows(words) for words in PAGES):
            await self._leave_page()

    async def _press(self, *keys) -> None:
        for key in keys:
            await self._hands.type(key)
            await asyncio.sleep(0.02)

    async def _gone(self, words) -> None:
        """Wait until these words are no longer there."""
        async with asyncio.timeout(PATIENCE):
            while (self._shows(words) or not self._text) and not self._hands.done:
                await self._look()

    async def _leave_page(self) -> None:
        words = next(words for words in PAGES if self._shows(words))
        await self._press("enter")
        for _ in range(100):
            await self._look()
            if not self._shows(words) or self._hands.done:
                return

    # --- a game ---------------------------------------------------------------------------------------------------
    async def _play(self) -> None:
        if self._shows("paused") or self._shows("get ready") or not re.search(r"\d:\d\d ", self._text):
            return  # it has not begun
        if self._rng.random() < 0.03:
            await self._pause()
            return
        key = next(self._plan) if self._plan else self._rng.choice(MASHED)
        self.keys.append(key)
        await self._hands.type(key)
        await asyncio.sleep(PACE)

    async def _pause(self) -> None:
        """Pauses the game with its key, with the question whether to leave, or with a terminal that is too small."""
        game, why = self._in_game, self._rng.choice(["key", "dialog", "small"])
        if why == "small" and not hasattr(self._hands, "shrink"):
            why = "key"
        words = {"key": " paused ", "dialog": "Leave here?", "small": "80"}[why]
        begin, end = {
            "key": (lambda: self._press("p"), lambda: self._press("p")),
            "dialog": (lambda: self._press("ctrl+c"), lambda: self._press("enter")),
            "small": (lambda: self._hands.shrink(), lambda: self._hands.grow()),
        }[why]
        if why != "small":
            self.keys.append("p" if why == "key" else "ctrl+c")
        await begin()
        if not await self._comes(words):  # the game was over sooner
            if why == "small":
                await end()
            return
        self.pauses.append((game, why))
        await asyncio.sleep(PAUSE)
        if why == "key":
            self.keys.append("p")
        await end()
        await self._gone(words)

    async def _comes(self, words) -> bool:
        for _ in range(100):
            await self._look()
            if self._shows(words):
                return True
            if self._shows("Game over"):
                return False
        return False

    async def _rest(self) -> None:
        """Goes on pressing keys for a while, as somebody does who has not seen the end; then lets go and goes on."""
        if self._plan is None:
            for _ in range(8):
                await self._press(self._rng.choice(MASHED))
                await asyncio.sleep(PACE)
        await asyncio.sleep(2.5)
        await self._press("enter")
        for _ in range(40):
            await self._look()
            if not self._shows("Game over"):
                return

    # --- a question -----------------------------------------------------------------------------------------------
    async def _answer(self) -> None:
        title = re.search(r"(?:on game (\d)|at the end|before the games)(?:: question (\d) of (\d))?", self._text)
        name = next((name for name, words in QUESTIONS.items() if words in self._text), None)
        if title is None or name is None:
            return
        game, back = int(title[1] or 0), self._shows("One question back")
        if back and self._rng.random() < 0.25:
            await self._go_back(name)
            return
        value = await self._give(name)
        self.intents.append(Intent(name, game, value, datetime.now(UTC)))
        await self._press("enter")
        await self._gone(QUESTIONS[name])

    async def _go_back(self, name) -> None:
        """Goes one question back; a page may be drawn before it has the keys, and would take the second tab for one."""
        self.backs += 1
        await asyncio.sleep(0.5)
        await self._press("tab", "tab", "enter")
        await self._gone(QUESTIONS[name])

    async def _give(self, name) -> object:
        """Gives an answer that the one before did not have, and leads to the button that confirms it."""
        number = len(self.intents)
        match name:
            case "fluent":
                value = 1 + number * 3 % 7
                await self._press(str(value))
                await self._comes(f"● {value}")
            case "effort":
                value = 1 + number % 9
                await self._press("home", "home", *["right"] * value)  # the first key puts it in the middle
                await self._comes(f"   {value}   ")
                await self._press("enter")
            case "hours":
                value = 1 + number % 90
                await self._press(*str(value))
                await self._comes(f" {value} ")
                await self._press("enter")
            case _:
                value = f"{self.code.lower()}w{number}"
                await self._press(*value)
                await self._comes(value)
                await self._press("tab")
        await asyncio.sleep(0.5)
        return value


QUESTIONS = {"fluent": "Was it fluent?", "effort": "How much effort?", "noticed": "What did you notice?"}
QUESTIONS |= {"hours": "How many hours a week?"}
