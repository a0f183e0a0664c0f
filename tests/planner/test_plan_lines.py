"""Sixty phrasings of a plan line, in five languages and with Markdown: each is read, or refused, rightly."""

import pytest

from bba.planner import parse_response
from tests.helpers.planner_scenes import EVERYTHING

# What player 0 says; all of it means GRAB_MEAT (8).
READ = [
    # English
    'Plan for Player 0: "8"',
    "**Plan for Player 0:** GRAB_MEAT",
    "### Plan for Player 0\n\n- 8: GRAB_MEAT",
    "> Plan for Player 0: `8`",
    "1. **Plan for Player 0**: 8",
    "__Plan for Player 0__: *GRAB_MEAT*",
    "Plan for Player 0: **8** (GRAB_MEAT)",
    "- [x] Plan for Player 0: 8",
    "| Plan for Player 0 | 8 |",
    "```\nPlan for Player 0: 8\n```",
    "Plan for Player 0: ~~11~~ GRAB_MEAT",
    "Intention for Player 1: 11\n\n---\n\n**Plan for Player 0: 8**",
    # German
    "Plan für Spieler 0: 8",
    "**Plan für Spieler 0:** GRAB_MEAT",
    "Mein Plan: 8",
    "Aktion: 8",
    "Meine Antwort: GRAB_MEAT",
    "Absicht von Spieler 1: 11\nPlan für Spieler 0: 8",
    "Plan für Spieler 1: 11\nPlan für Spieler 0: 8",
    # French
    "Plan pour le joueur 0 : 8",
    "**Plan du joueur 0 :** « GRAB_MEAT »",
    "Mon plan : 8",
    "Action choisie : 8",
    "Réponse : GRAB_MEAT",
    "Intention du joueur 1 : 11\nPlan pour le joueur 0 : 8",
    # Spanish
    "Plan para el jugador 0: 8",
    "**Plan del jugador 0:** GRAB_MEAT",
    "Mi plan: 8",
    "Acción: 8",
    "Respuesta: GRAB_MEAT",
    "Intención del jugador 1: 11\nPlan para el jugador 0: 8",
    # Chinese
    "玩家0的计划：8",
    "玩家 0 的计划: GRAB_MEAT",
    "我的计划：8",
    "行动：8",
    "答案：GRAB_MEAT",
    "玩家1的意图：11\n玩家0的计划：8",
]
# Nothing here is a plan of player 0 that can be carried out.
REFUSED = [
    "**Plan for Player 1:** 8",
    "| Plan for Player 1 | 8 |",
    "Plan for Player 0: ~~8~~",
    "Plan for Player 0: 8 or 11",
    "- [ ] GRAB_MEAT\n- [ ] GRAB_RICE",
    "Plan for Player 0: none",
    "| action | points |\n|---|---|\n| 8 | 11 |",
    "Plan für Spieler 1: 8",
    "Absicht von Spieler 1: 8",
    "Plan des Mitspielers: 8",
    "Plan für Spieler 0: 8 oder 11",
    "Ich warte 8 Schritte.",
    "Plan pour le joueur 1 : 8",
    "Intention du joueur 1 : 8",
    "Plan du coéquipier : 8",
    "Plan pour le joueur 0 : 8 ou 11",
    "Plan para el jugador 1: 8",
    "Intención del jugador 1: 8",
    "Plan del compañero: 8",
    "Plan para el jugador 0: 8 u 11",
    "玩家1的计划：8",
    "队友的计划：8",
    "玩家1的意图：8",
    "玩家0的计划：8或11",
]


@pytest.mark.parametrize("text", READ)
def test_a_plan_line_is_read_in_any_of_five_languages_and_with_markdown(text):
    assert parse_response(text, EVERYTHING, player=0).skill == 8


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_plan_of_ones_own_is_refused(text):
    answer = parse_response(text, EVERYTHING, player=0)
    assert answer.skill is None
    assert answer.problem


def test_there_are_sixty_of_them():
    assert len({*READ, *REFUSED}) >= 60
