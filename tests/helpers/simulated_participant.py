"""A simulated participant whose process is killed several times.

Usage: `python -m tests.helpers.simulated_participant FOLDER SEED KILLS`.

Every run is a process of its own. It is killed with SIGKILL at a random point: before or after a file is replaced, or
at every tenth step of a game other than the tutorial. FOLDER/runs.jsonl notes, a line a run, which questions were
asked and which answers were accepted.
"""

import asyncio
import json
import os
import random
import signal
import sys
from pathlib import Path

from bba.play import Game
from bba.settings import GameOptions
from human.study import StudyFolder
from human.study.simulation import LESSON as SCHEDULE
from human.study.tutorial import PERSON_SEAT
from tests.helpers.studies import begin_study
from tests.helpers.typist import Typist
from tests.helpers.wait_for_idle import wait_for_the_app
from tui.study.app import StudyApp
from tui.study.fields import ListField
from tui.study.game import PracticeScreen, StudyGame
from tui.study.pages import Page
from tui.study.screens import QuestionScreen, TextScreen

CODE = "P1"


class KillSwitch:
    """Kills this process at its n-th point; never if n is 0."""

    def __init__(self, n):
        self._left, self._replace, self._step = n, Path.replace, Game.step
        Path.replace, Game.step = self._replacing, self._stepping

    def _count_down(self):
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    @property
    def _replacing(self):
        def replace(path, target):
            self._count_down()
            done = self._replace(path, target)
            self._count_down()
            return done

        return replace

    @property
    def _stepping(self):
        def step(game):
            if game.horizon < 1000 and game.kitchen.steps % 10 == 9:  # the tutorial is long
                self._count_down()
            return self._step(game)

        return step


class ScriptedParticipant:
    """Does what each screen asks for, and notes it."""

    def __init__(self, app, pilot, notes):
        self._app, self._pilot, self._notes = app, pilot, notes

    async def take_part(self):
        while self._app.is_running and not self._app._exit:
            await self._do(self._app.screen)
            await self._pilot.pause()

    async def _do(self, screen):
        match screen:
            case PracticeScreen():
                self._practise(screen)
            case StudyGame():
                self._note("played", screen._title._name)
                self._play(screen)
            case QuestionScreen(field=ListField()):
                await self._answer(screen, "4", "enter")
            case QuestionScreen():
                await self._answer(screen, "w", "e", "l", "l", "tab", "enter")
            case TextScreen(page=Page(careful=True)):
                self._note("consented", "")
                await self._pilot.press("tab", "enter")
            case TextScreen():
                await self._pilot.press("enter")

    async def _answer(self, screen, *keys):
        what = f"on game {screen.page.field.task.game + 1}: {screen.page.field.task.question.name}"
        self._note("asked", what)
        await self._pilot.press(*keys)
        while self._app.screen is screen:
            await self._pilot.pause()
        self._note("accepted", what)

    def _practise(self, screen):
        typist = Typist(screen.session.game, screen.session.controls[PERSON_SEAT], SCHEDULE)
        while not screen.session.over:
            typist.press()
            screen._step()

    def _play(self, screen):
        while not screen.session.over:
            screen._press(PERSON_SEAT, 2 + len(screen.session.trace.ticks) // 5 % 2)

    def _note(self, *what):
        self._notes.write(json.dumps(what) + "\n")
        self._notes.flush()


async def take_part(folder, notes, kill_at):
    app = StudyApp(folder, GameOptions.model_validate({}), CODE, countdown=0, pause=0)
    async with app.run_test(size=(100, 30)) as pilot:
        KillSwitch(kill_at)
        await ScriptedParticipant(app, pilot, notes).take_part()
    if app.problem is not None:
        raise app.problem


def run_once(folder: StudyFolder, file: Path, kill_at: int) -> bool:
    """Runs the study in a process of its own; returns whether it was killed."""
    child = os.fork()
    if child == 0:
        with file.open("w") as notes:
            asyncio.run(take_part(folder, notes, kill_at))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "the participant failed"
    return False


def main(path: Path, seed: int, kills: int) -> None:
    wait_for_the_app()
    folder, rng = begin_study(path, tutorial=True), random.Random(seed)
    progress = folder.path / "participants" / f"{CODE}.json"
    with (path / "runs.jsonl").open("w") as runs:
        for n in [*(rng.randint(1, 14) for _ in range(kills)), 0]:
            before = json.loads(progress.read_text()) if progress.exists() else None
            killed = run_once(folder, path / "notes", n)
            after = json.loads(progress.read_text()) if progress.exists() else None
            notes = [json.loads(line) for line in (path / "notes").read_text().splitlines()]
            lengths = {file.name: file.stat().st_size for file in folder.recordings.glob("*.bba")}
            told = {"killed": killed, "before": before, "after": after, "notes": notes, "recordings": lengths}
            runs.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
