"""Studies: people play a fixed set of games in a counterbalanced order, and say how it was."""

from human.study.course import Ask, Play, Practise, next_task
from human.study.folder import StudyFolder
from human.study.participation import Participation
from human.study.plan import Study, load_study

__all__ = ["Ask", "Participation", "Play", "Practise", "Study", "StudyFolder", "load_study", "next_task"]
