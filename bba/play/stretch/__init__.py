"""Stretches: many steps of a game, played in one compiled call, and decoded when somebody asks for them.

`rows` are the arrays, `kernel` plays, `player` calls it for one game, `stretch` reads what was played.
"""
