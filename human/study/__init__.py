"""Studies: participants play a fixed set of games in a counterbalanced order and answer questions after each."""

from human.study.folder import StudyFolder
from human.study.participant_session import ParticipantSession, PlayTask, PracticeTask, QuestionTask, next_task
from human.study.plan import Study, load_study

__all__ = [
    "ParticipantSession",
    "PlayTask",
    "PracticeTask",
    "QuestionTask",
    "Study",
    "StudyFolder",
    "load_study",
    "next_task",
]
