"""What the tests of languages need: every text of the code that is translated, and all text on a screen."""

import ast
import re
import tomllib
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from string import Formatter
from unittest.mock import Mock, patch

from bba.language import LANGUAGE
from human.keymap import DIALOG_KEYS, LEFT_HAND, PLAY_KEYS, PRACTICE_KEYS, RIGHT_HAND, STUDY_KEYS
from human.study.tutorial import PERSON_SEAT
from tests.helpers.simulated_participant import ScriptedParticipant
from tui.study.fields import BoxesField, NumberInput, SliderField
from tui.study.game import PracticeScreen, StudyGame
from tui.study.screens import QuestionScreen

ROOT = Path(__file__).parents[2]
LANGUAGES = ("de", "es", "zh")
WITHHELD = ("mind",)  # keys of games that no participant has
FIELD = re.compile(r"\{\w+\}")
IN_TEMPLATES = re.compile(r'say\("([^"]*)"')


@cache
def messages() -> set[str]:
    """Returns the texts that the code gives to `say` or `marked`, the templates to `say`, and those of keys."""
    files = [file.read_text("utf-8") for top in ("bba", "human", "tui") for file in ROOT.glob(f"{top}/**/*.py")]
    trees = [ast.parse(text) for text in files if "from bba.language import" in text]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = {text for call in calls for text in _texts_of(call)}
    pages = [file.read_text("utf-8") for file in (ROOT / "tui/serve/pages").glob("*.html")]
    found |= {text for page in pages for text in IN_TEMPLATES.findall(page)}
    keys = (*LEFT_HAND, *RIGHT_HAND, *PLAY_KEYS, *PRACTICE_KEYS, *STUDY_KEYS, *DIALOG_KEYS)
    found |= {key.description for key in (*LEFT_HAND, *PRACTICE_KEYS, STUDY_KEYS[0])}  # said in plain mode
    return found | {key.label for key in keys if key.label and key.name not in WITHHELD}


def _texts_of(call: ast.Call) -> set[str]:
    name = getattr(call.func, "id", "")
    if name == "say":
        first = call.args[0] if call.args else None
        return {first.value} if isinstance(first, ast.Constant) and first.value else set()
    return {text for text in _strings(call.args[0]) if text} if name == "marked" else set()


def _strings(node: ast.AST):
    """Yields the strings below a node, of dicts those of the values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    below = node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
    for one in below:
        yield from _strings(one)


def catalogue_of(language: str) -> dict[str, str]:
    return tomllib.loads((ROOT / "configs/languages" / f"{language}.toml").read_text("utf-8"))["messages"]


def english_in(text: str, language: str) -> set[str]:
    """Returns the English messages that stand in a text, apart from those whose words the language has, too."""
    translated = catalogue_of(language)
    words = "\n".join(translated.values())
    return {found for found in translated if _stands_in(found.strip(), text) and not _stands_in(found.strip(), words)}


def _stands_in(words: str, text: str) -> bool:
    """Whether words stand in a text; what a field stands for may be anything in a line."""
    parts = FIELD.split(words)
    if not any(part.strip(" :.,") for part in parts):  # nothing but fields
        return False
    if not all(part in text for part in parts):  # most do not, and this is told much sooner
        return False
    return re.search(r"(?<!\w)" + ".+?".join(map(re.escape, parts)) + r"(?!\w)", text) is not None


def fields_of(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@contextmanager
def spoken(language: str):
    """Speaks a language in this context, for what a test draws or calls itself."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def frame(app) -> str:
    """Returns the text on the screen, a line for each row."""
    return "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())


class ReadingParticipant(ScriptedParticipant):
    """Takes part, opens what there is to open in the first game, and keeps each screen that it sees, by its title."""

    def __init__(self, app, pilot):
        super().__init__(app, pilot, Mock())
        self.frames: list[str] = []
        self._opened = False

    async def _look(self):
        await self._pilot.pause()
        self.frames.append(frame(self._app))

    async def _do(self, screen):
        await self._look()
        match screen:
            case QuestionScreen(field=BoxesField()):
                await self._pilot.press("space", "tab", "enter")
            case QuestionScreen(field=SliderField()):
                await self._answer(screen, "right", "enter", "enter")
            case QuestionScreen(field=NumberInput()):
                await self._refuse(screen)
                await self._answer(screen, "3", "0", "enter", "enter")
            case PracticeScreen():
                self._practise(screen)
            case StudyGame() if not self._opened:
                self._opened = True
                for _ in range(20):
                    screen._press(PERSON_SEAT, 2 + len(screen.session.trace.ticks) // 5 % 2)
                for key, back in (("h", "h"), ("k", "k"), ("p", "p"), ("escape", "escape"), ("ctrl+c", "escape")):
                    await self._pilot.press(key)
                    await self._look()
                    await self._pilot.press(back)
            case _:
                await super()._do(screen)

    def _practise(self, screen):
        """Practises to the end; the panels show no step on the way, as nobody reads them meanwhile."""
        with patch.object(screen, "_show_panels"):
            super()._practise(screen)

    async def _answer(self, screen, *keys):
        await self._pilot.press(*keys)
        while self._app.screen is screen:
            await self._pilot.pause()

    async def _refuse(self, screen):
        """Confirms a question without an answer, and sees why that is refused."""
        await self._pilot.press("tab", "enter")
        await self._look()
