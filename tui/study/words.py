"""What the pages of a study say, and how it can end for now."""

from typing import Literal

from human.study.practice import STAGES

# How a study ends for now; the page in the browser has a text for each.
StudyEnd = Literal["finished", "declined", "withdrawn", "left-study", "problem"]
DONE = "That was all. Your games and answers are saved."
BEFORE_PRACTICE = f"""First you learn the keys: in {len(STAGES)} small steps you make one burrito. There is no hurry; \
nothing burns, and nobody watches the clock. The box to the right says what to do next.

r begins anew at any time."""
BEFORE_GAME = """Cook as many burritos as you can, together with your partner, a program.{other}

A guest who waits too long leaves; food that stays on the fire too long burns."""
ANOTHER_PROGRAM = " It may be another one than in the game before."
BEFORE_PAIR_GAME = """Cook as many burritos as you can, together with another participant, who sits at another screen.

A guest who waits too long leaves; food that stays on the fire too long burns. The game waits for both of you."""
GAME_OVER = "Please let go of all keys. In a moment it goes on from here."
NO_PLACE = """Thank you for coming. You cannot take part: {why}.

Nothing was stored now."""
EXCLUDED = """The study ends here for you: the games need what was asked in the practice. What you have done is saved.

Thank you for your time."""
