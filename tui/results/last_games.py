"""The games that were recorded last, for the start screen."""

from datetime import datetime

from tui.results.recorded_games import RecordedGame, day_text, read_game, recorded_games
from tui.screens.last_games import LastGame, LastGames

SHOWN = 4  # games


def last_games() -> LastGames:
    """Returns the recorded games that there are; the newest ones are read, which takes about 0.1 s each."""
    paths = recorded_games()
    if not paths:
        return LastGames()
    games = [read_game(path) for path in paths[:SHOWN]]
    readable = tuple(LastGame(game.path, words) for game in games if (words := _in_words(game)))
    return LastGames(len(paths), day_text(games[0].modified, datetime.now()), readable)


def _in_words(game: RecordedGame) -> str:
    """Returns kitchen, cooks and score of a game; "" where it cannot be read."""
    if game.config is None or game.came is None:
        return ""
    score = game.came.scores[-1] if game.came.scores else 0
    return f"{game.config.layout.name} {'+'.join(game.config.agents)} {score:,}"
