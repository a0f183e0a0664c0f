"""Asking a language model, or the scripted stand-in, for the next skill."""

from bba.planner.answers import Answer, parse
from bba.planner.chat import ChatBackend, Message
from bba.planner.planner import Exchange, Planner
from bba.planner.prompts import Kind, Prompts
from bba.planner.scripted import ScriptedBackend
from bba.planner.situation import BeliefView, Situation

__all__ = [
    "Answer",
    "BeliefView",
    "ChatBackend",
    "Exchange",
    "Kind",
    "Message",
    "Planner",
    "Prompts",
    "ScriptedBackend",
    "Situation",
    "parse",
]
