"""Asking a language model, or the scripted stand-in, for the next skill."""

from bba.planner.chat import ChatBackend, Message, NoAnswer, Reply, Usage
from bba.planner.planner import Exchange, Planner
from bba.planner.planner_input import BeliefView, PlannerInput
from bba.planner.prompts import PromptKind, Prompts, QuestionKind
from bba.planner.response_parser import ParsedResponse, parse_response
from bba.planner.scripted import ScriptedBackend
from bba.planner.side_queries import Aside, AsideKind, Inquirer

__all__ = [
    "Aside",
    "AsideKind",
    "BeliefView",
    "ChatBackend",
    "Exchange",
    "Inquirer",
    "Message",
    "NoAnswer",
    "ParsedResponse",
    "Planner",
    "PlannerInput",
    "PromptKind",
    "Prompts",
    "QuestionKind",
    "Reply",
    "ScriptedBackend",
    "Usage",
    "parse_response",
]
