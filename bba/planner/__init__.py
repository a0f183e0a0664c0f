"""Asks a language model, or the scripted stand-in, for the next skill."""

from bba.planner.chat import ChatBackend, Message, NoAnswer, Reply, Usage
from bba.planner.llm_call import CallKind, LLMCall
from bba.planner.planner import Planner
from bba.planner.planner_input import BeliefView, PlannerInput
from bba.planner.prompts import PromptKind, Prompts, QueryKind
from bba.planner.response_parser import ParsedResponse, parse_response
from bba.planner.scripted import ScriptedBackend
from bba.planner.side_queries import SideQuerier

__all__ = [
    "BeliefView",
    "CallKind",
    "ChatBackend",
    "LLMCall",
    "Message",
    "NoAnswer",
    "ParsedResponse",
    "Planner",
    "PlannerInput",
    "PromptKind",
    "Prompts",
    "QueryKind",
    "Reply",
    "ScriptedBackend",
    "SideQuerier",
    "Usage",
    "parse_response",
]
