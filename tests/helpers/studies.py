"""Helpers for the tests of studies."""

from human.study import PageTask, PlayTask, Study, StudyFolder

PLAN = {
    "name": "small",
    "title": "A small study",
    "consent": "Do you agree?",
    "layouts": ["open"],
    "agents": ["switching", "proagent"],
    "tutorial": False,
    "turns": True,
    "horizon": 60,
    "questions": [
        {"name": "fluency", "text": "Fluent?", "ends": ["no", "yes"]},
        {"name": "remarks", "text": "Anything?"},
    ],
}


def plan(**changes) -> Study:
    return Study.model_validate(PLAN | changes)


def begin_study(path, **changes) -> StudyFolder:
    return StudyFolder.begin(path / "results", plan(**changes))


def resumed_session(folder, part, play: PlayTask):
    """The session of a game, resumed from its recording."""
    from bba.agents import Controls, HumanAgent, load_agent
    from bba.play import Game
    from human.session import Session

    controls = {1: Controls()}
    agents = load_agent(play.condition.agent), HumanAgent(controls[1])
    horizon = folder.study.horizon
    game = Game(play.condition.layout, *agents, play.condition.seed, horizon=horizon, mobility=(0.35, 1.0))
    session = Session(game, controls, part.recording(play.game))
    session.resume()
    return session


def play_through(folder, part) -> None:
    """Plays the remaining games and answers the remaining questions: east and west in turns, 4 and "well"."""
    while (task := part.task) is not None:
        if isinstance(task, PlayTask):
            session = resumed_session(folder, part, task)
            part.begin(task, len(session.trace.ticks))
            while not session.over:
                session.controls[1].press(2 + len(session.trace.ticks) // 5 % 2)
                session.step()
            part.end(task, given_up=False)
        elif isinstance(task, PageTask):
            part.begin_break(task)
            part.end_break()
        else:
            part.answer(task, 4 if task.question.type == "scale" else "well")
