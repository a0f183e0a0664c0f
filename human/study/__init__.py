"""Studies: participants play a fixed set of games in a counterbalanced order and answer questions around them.

What the study app needs is here; the tables and reports of a study are in modules of their own.
"""

from human.study.activity_log import Activity, ActivityLog, GameLog, LoggedControls
from human.study.allocation import NoPlace, plan_in_words
from human.study.folder import StudyFolder, terms_of
from human.study.model import PairPlace
from human.study.online import IDS, EndingName, OtherBrowser, PlatformIds, said_at
from human.study.participant_session import ParticipantSession
from human.study.plan import Condition, Study
from human.study.plan_file import load_study
from human.study.practice import PERSON_SEAT, STAGES, TutorialProgress, practice_session
from human.study.progress import Pause, PauseReason, parse_code
from human.study.questions import SLIDER_END, Answer, Kind, SurveyQuestion
from human.study.tasks import (
    BreakTask,
    FailedTryTask,
    PageTask,
    PairTask,
    PlayTask,
    PracticeTask,
    QuestionTask,
    StudyTask,
    games_of,
    next_task,
    place_of,
)

__all__ = [
    "IDS",
    "PERSON_SEAT",
    "SLIDER_END",
    "STAGES",
    "Activity",
    "ActivityLog",
    "Answer",
    "BreakTask",
    "Condition",
    "EndingName",
    "FailedTryTask",
    "GameLog",
    "Kind",
    "LoggedControls",
    "NoPlace",
    "OtherBrowser",
    "PageTask",
    "PairPlace",
    "PairTask",
    "ParticipantSession",
    "Pause",
    "PauseReason",
    "PlatformIds",
    "PlayTask",
    "PracticeTask",
    "QuestionTask",
    "Study",
    "StudyFolder",
    "StudyTask",
    "SurveyQuestion",
    "TutorialProgress",
    "games_of",
    "load_study",
    "next_task",
    "parse_code",
    "place_of",
    "plan_in_words",
    "practice_session",
    "said_at",
    "terms_of",
]
