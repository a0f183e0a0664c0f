"""The app on a game of people, turn by turn unless a test says otherwise."""

from bba.agents import Controls, HumanAgent, load_agent
from bba.play import Game
from human.session import Session
from tui.app.app import BBAApp
from tui.game_factory import SessionRequest
from tui.screens.play import PlayScreen

SIZE = (120, 40)


def session(tmp_path, *, ego="switching", partner="human", horizon=600, layout="open"):
    controls = {seat: Controls() for seat, name in enumerate((ego, partner)) if name == "human"}
    agents = [
        HumanAgent(controls[seat]) if seat in controls else load_agent(name) for seat, name in enumerate((ego, partner))
    ]
    mobility = tuple(1.0 if name == "human" else 0.35 for name in (ego, partner))
    return Session(Game(layout, *agents, 0, horizon=horizon, mobility=mobility), controls, tmp_path / "game.bba")


class Playing(BBAApp):
    """The app on a game of people turn by turn, without a countdown."""

    def __init__(self, tmp_path, *, countdown=0, speed=None, request=None, **game):
        make = request.make if request else lambda keymap: session(tmp_path, **game)
        super().__init__(request=SessionRequest(make, speed))
        self._countdown_from = countdown

    def _play(self, request, first=None):
        self._request, self.session = request, request.make(self.keymap)
        self.push_screen(PlayScreen(self.session, speed=request.speed, countdown=self._countdown_from))


def actions(app, seat=1):
    return [tick.actions[seat] for tick in app.session.trace.ticks]
