"""The themes of the screen, each made from its palette."""

from textual.app import App
from textual.theme import Theme

from bba.palette import CONTRAST, DARK, LIGHT, Palette, variables

PALETTES = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}


def theme_of(name: str, palette: Palette) -> Theme:
    """Returns a palette as a Textual theme; the colours with a meaning of their own become variables."""
    return Theme(
        name=name,
        primary=palette.title,
        secondary=palette.focus,
        accent=palette.warn,
        warning=palette.warn,
        error=palette.bad,
        success=palette.good,
        foreground=palette.text,
        background=palette.background,
        surface=palette.panel,
        panel=palette.strip,
        dark=palette is not LIGHT,
        variables=variables(palette)
        | {
            "border": palette.border,
            "footer-background": palette.strip,
            "footer-key-foreground": palette.warn,
            "footer-key-background": palette.strip,
            "footer-description-background": palette.strip,
        },
    )


def palette_of(app: App[object]) -> Palette:
    """Returns the palette of the current theme, for widgets that paint pixels."""
    return PALETTES.get(app.theme, DARK)
