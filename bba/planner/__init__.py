"""Asking a language model, or the scripted stand-in, for the next skill."""

from bba.planner.answers import Answer, parse
from bba.planner.asides import Aside, AsideKind, Inquirer
from bba.planner.chat import ChatBackend, Message, NoAnswer, Reply, Usage
from bba.planner.planner import Exchange, Planner
from bba.planner.prompts import Kind, Prompts, QuestionKind
from bba.planner.scripted import ScriptedBackend
from bba.planner.situation import BeliefView, Situation

__all__ = [
    "Answer",
    "Aside",
    "AsideKind",
    "BeliefView",
    "ChatBackend",
    "Exchange",
    "Inquirer",
    "Kind",
    "Message",
    "NoAnswer",
    "Planner",
    "Prompts",
    "QuestionKind",
    "Reply",
    "ScriptedBackend",
    "Situation",
    "Usage",
    "parse",
]
