"""What the pages of a study say."""

from human.study.practice import STAGES

BEFORE_PRACTICE = f"""First you learn the keys: in {len(STAGES)} small steps you make one burrito. There is no hurry; \
nothing burns, and nobody watches the clock. The box to the right says what to do next.

r begins anew at any time."""
BEFORE_GAME = """Cook as many burritos as you can, together with your partner, a program. It may be another one \
than in the game before.

A guest who waits too long leaves; food that stays on the fire too long burns."""
BEFORE_PAIR_GAME = """Cook as many burritos as you can, together with another participant, who sits at another screen.

A guest who waits too long leaves; food that stays on the fire too long burns. The game waits for both of you."""
GAME_OVER = "Please let go of all keys. In a moment it goes on from here."
NO_PLACE = """Thank you for coming. You cannot take part: {why}.

Nothing was stored now."""
EXCLUDED = """The study ends here for you: the games need what was asked in the practice. What you have done is saved.

Thank you for your time."""
LEAVE = "Leave here? What you have done is saved. The same code goes on from here another time."
