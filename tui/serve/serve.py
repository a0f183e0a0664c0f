"""The command `serve`."""

from tui.arguments.options import (
    Learn,
    Out,
    PeopleOptions,
    PlayedIn,
    ScreenOptions,
    ServingOptions,
    StudyFile,
    WatchedGame,
)


class Serve(ServingOptions, PeopleOptions, WatchedGame, ScreenOptions):
    """Options of `serve`."""

    served_at: str = "127.0.0.1:8000"
    study: StudyFile = None
    play: PlayedIn = None
    learn: Learn = False
    out: Out = None


def serve(options: Serve) -> None:
    """Serve the app in the browser, until interrupted.

    Raises:
        BBAError: an unsuitable option, or an address that cannot be listened on.
    """
    from tui.serve.command import serve_visitors

    serve_visitors(options)
