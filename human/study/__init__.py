"""Studies: participants play a fixed set of games in a counterbalanced order and answer questions around them."""

from human.study.folder import StudyFolder
from human.study.participant_session import ParticipantSession
from human.study.plan import Study
from human.study.plan_file import load_study
from human.study.tasks import BreakTask, FailedTryTask, PairTask, PlayTask, PracticeTask, QuestionTask, next_task

__all__ = [
    "BreakTask",
    "FailedTryTask",
    "PairTask",
    "ParticipantSession",
    "PlayTask",
    "PracticeTask",
    "QuestionTask",
    "Study",
    "StudyFolder",
    "load_study",
    "next_task",
]
