"""Asks a language model, or the scripted stand-in, for the next skill."""

from bba.planner.chat import (
    PLAN,
    CallKind,
    ChatBackend,
    LLMCall,
    Message,
    ModelUnusable,
    NoAnswer,
    QueryKind,
    QuestionProgress,
    Reply,
    SkillNumber,
    Texts,
    Usage,
    total_usage,
)
from bba.planner.chat_planner import Planner
from bba.planner.prompt_loader import PromptKind, Prompts
from bba.planner.response_parser import ParsedResponse, parse_response
from bba.planner.rollout.futures import Comparison, SkillValue
from bba.planner.rollout.skill_comparison import BehaviourNetwork, SkillComparer, futures_are_compiled, likeliest_path
from bba.planner.scene_text import NUMBERED_SKILLS, BeliefView, PlannerInput, at
from bba.planner.scripted.scene_facts import facts_of, stations_of
from bba.planner.scripted.scripted_chat import ScriptedBackend
from bba.planner.short_answers import entropy, read_judgement, scores_of

__all__ = [
    "NUMBERED_SKILLS",
    "PLAN",
    "BehaviourNetwork",
    "BeliefView",
    "CallKind",
    "ChatBackend",
    "Comparison",
    "LLMCall",
    "Message",
    "ModelUnusable",
    "NoAnswer",
    "ParsedResponse",
    "Planner",
    "PlannerInput",
    "PromptKind",
    "Prompts",
    "QueryKind",
    "QuestionProgress",
    "Reply",
    "ScriptedBackend",
    "SkillComparer",
    "SkillNumber",
    "SkillValue",
    "Texts",
    "Usage",
    "at",
    "entropy",
    "facts_of",
    "futures_are_compiled",
    "likeliest_path",
    "parse_response",
    "read_judgement",
    "scores_of",
    "stations_of",
    "total_usage",
]
