"""A planner that answers prompts without a language model: it takes the first valid action with one of its words.

To ask a model behind an API of any kind, send `messages` there and return its answer.

bba-tui watch open --planner examples/plugins/keyword_planner.py:Keywords
"""

import re
from collections.abc import Sequence

from bba.planner import Message

VALID = re.compile(r"VALID ACTIONS -> (.+)")


class Keywords:
    """Takes the first valid action that has one of its words, in their order; waits where none has."""

    def __init__(self, words: list[str] = ["DELIVER", "PLATE", "PUT", "CUT", "GRAB"]) -> None:  # noqa: B006 - never changed
        self.words = words

    def complete(self, messages: Sequence[Message]) -> str:
        """Returns an answer to the last message, which lists the valid actions as "8:GRAB_MEAT; …"."""
        asked = VALID.search(messages[-1]["content"])
        actions = asked.group(1).split("; ") if asked else []
        found = (action for word in self.words for action in actions if word in action)
        return f'Plan: "{next(found, "4:STAY")}"'
