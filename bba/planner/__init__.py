"""Asks a language model, or the scripted stand-in, for the next skill."""

from bba.planner.chat import CallKind, ChatBackend, LLMCall, Message, ModelUnusable, NoAnswer, QueryKind, Reply, Usage
from bba.planner.chat_planner import Planner
from bba.planner.prompt_loader import PromptKind, Prompts
from bba.planner.response_parser import ParsedResponse, parse_response
from bba.planner.scene_text import BeliefView, PlannerInput
from bba.planner.scripted.scripted_chat import ScriptedBackend

__all__ = [
    "BeliefView",
    "CallKind",
    "ChatBackend",
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
    "Reply",
    "ScriptedBackend",
    "Usage",
    "parse_response",
]
