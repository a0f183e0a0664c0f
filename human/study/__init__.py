"""Studies: participants play a fixed set of games in a counterbalanced order and answer questions around them.

The plan, the folder, the sessions and the tasks of participants are here: what the study app needs, and what the tables
and reports start from, which are in modules of their own. What raises their errors is offered here, too (`bba.errors`).
"""

from human.study.activity_log import Activity, ActivityLog, ActivityRecord, GameLog, LoggedControls, LogLine, read_log
from human.study.endings import EndingName
from human.study.errors import BegunInOtherBrowser, ParticipantError
from human.study.folder import PLAN_FILE, REPORT_FILE, BegunStudy, StudyFolder, terms_of
from human.study.instrument_scores import InstrumentScore
from human.study.online import IDS, Online, PlatformIds, ids_of, said_at
from human.study.participant_session import ParticipantSession, recording_of
from human.study.plan import Analysis, Condition, ExclusionRules, Study
from human.study.plan_file import load_study
from human.study.progress import PairPlace, Pause, PauseReason, PlayedGame, Progress, SurveyAnswer, parse_code
from human.study.questionnaire import ANSWER_FIELDS, MEASURED, SLIDER_END, Answer, Kind, SurveyQuestion
from human.study.tasks import (
    BreakTask,
    FailedTryTask,
    NoPlaceInStudy,
    PageTask,
    PairTask,
    PlayTask,
    PracticeTask,
    QuestionTask,
    StudyTask,
    finished,
    games_of,
    next_task,
    place_of,
    plan_in_words,
)
from human.study.tutorial import PERSON_SEAT, STAGES, TUTORIAL, TutorialProgress, practice_session

__all__ = [
    "ANSWER_FIELDS",
    "IDS",
    "MEASURED",
    "PERSON_SEAT",
    "PLAN_FILE",
    "REPORT_FILE",
    "SLIDER_END",
    "STAGES",
    "TUTORIAL",
    "Activity",
    "ActivityLog",
    "ActivityRecord",
    "Analysis",
    "Answer",
    "BegunInOtherBrowser",
    "BegunStudy",
    "BreakTask",
    "Condition",
    "EndingName",
    "ExclusionRules",
    "FailedTryTask",
    "GameLog",
    "InstrumentScore",
    "Kind",
    "LogLine",
    "LoggedControls",
    "NoPlaceInStudy",
    "Online",
    "PageTask",
    "PairPlace",
    "PairTask",
    "ParticipantError",
    "ParticipantSession",
    "Pause",
    "PauseReason",
    "PlatformIds",
    "PlayTask",
    "PlayedGame",
    "PracticeTask",
    "Progress",
    "QuestionTask",
    "Study",
    "StudyFolder",
    "StudyTask",
    "SurveyAnswer",
    "SurveyQuestion",
    "TutorialProgress",
    "finished",
    "games_of",
    "ids_of",
    "load_study",
    "next_task",
    "parse_code",
    "place_of",
    "plan_in_words",
    "practice_session",
    "read_log",
    "recording_of",
    "said_at",
    "terms_of",
]
