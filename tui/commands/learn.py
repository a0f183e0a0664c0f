"""The command `learn`."""

from tui.arguments.options import PlainOptions, ScreenOptions


class Learn(PlainOptions, ScreenOptions):
    """Options of `learn`."""


def learn(options: Learn) -> None:
    """Make a burrito, then see an agent read you.

    Raises:
        BBAError: no terminal that the screen fits into.
    """
    from tui.commands.game_screen import open_app
    from tui.commands.terminal import interrupted_by_sigterm, is_plain, note_lacking_encoding
    from tui.preferences import preferences

    if not is_plain(plain=options.plain):
        open_app(options, learn=True)
        return
    from tui.plain import lesson

    note_lacking_encoding(plain=options.plain)
    with interrupted_by_sigterm():
        lesson.learn(preferences(options).keymap)
