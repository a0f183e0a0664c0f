"""A study in each language: every text that a participant sees is in it."""

import pytest

from bba.settings import Settings
from tests.helpers.languages import ReadingParticipant, spoken
from tests.helpers.studies import begin_study
from tui.study.app import StudyApp

SIZE = (80, 24)
OWN = {"title": "§§", "consent": "§§"}  # the study's own texts are no words
QUESTIONS = [
    {"name": "check", "text": "§§", "when": "practice", "points": 7, "expect": 5},
    {"name": "point", "text": "§§", "points": 7},
    {"name": "slide", "text": "§§", "type": "slider", "ends": ["§", "§§"]},
    {"name": "age", "text": "§§", "type": "number", "least": 18, "most": 99},
    {"name": "many", "text": "§§", "type": "choices", "choices": ["§", "§§"]},
    {"name": "words", "text": "§§"},
]
PLAN = OWN | {
    "agents": ["switching", "proagent"],
    "horizon": 30,
    "hints": True,
    "tutorial": True,
    "questions": QUESTIONS,
    "practice": {"stages": 1, "tries": 2, "otherwise": "go-on", "instructions": "§§"},
    "breaks": {"every": 1},
}


async def walk(folder, language):
    app = StudyApp(folder, Settings.model_validate({}), "P1", countdown=0, pause=0)
    with spoken(language):
        async with app.run_test(size=SIZE) as pilot:
            reader = ReadingParticipant(app, pilot)
            await reader.take_part()
    return reader.frames


@pytest.mark.parametrize("language", ["zh", "de", "es"])
async def test_walk(tmp_path, language):
    frames = await walk(begin_study(tmp_path, **PLAN, language=language), language)
    open(f"/tmp/h/frames-{language}.txt", "w").write("\n=====\n".join(frames))
