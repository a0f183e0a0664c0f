"""The scripted planner: a stand-in for a language model that needs no key and no network.

It reads nothing but the prompt: `reading` turns the text into facts, `demand` works out what the orders still lack,
`jobs` and `hands` say what a cook with free or full hands could do about it, `teammate` guesses what the other is
about to do, `strategy` decides, and `backend` words the answer. `judge` and `hypotheses` answer what is asked beside
the skill. Results of this planner are never to be presented as a language model's.
"""

from bba.planner.scripted.backend import ScriptedBackend

__all__ = ["ScriptedBackend"]
