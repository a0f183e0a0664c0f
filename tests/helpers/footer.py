"""What the footer offers."""

from textual.widgets._footer import FooterKey

from tui.app.app import BBAApp


def footer(app: BBAApp) -> dict[str, str]:
    """The keys that the footer shows, by their labels."""
    return {key.description: key.key_display for key in app.screen.query(FooterKey) if key.display}
