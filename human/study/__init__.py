"""Studies: people play a fixed set of games in a counterbalanced order, and say how it was."""

from human.study.folder import StudyFolder
from human.study.participant_session import ParticipantSession
from human.study.plan import Study, load_study
from human.study.schedule import PlayTask, PractiseTask, QuestionTask, next_task

__all__ = [
    "ParticipantSession",
    "PlayTask",
    "PractiseTask",
    "QuestionTask",
    "Study",
    "StudyFolder",
    "load_study",
    "next_task",
]
