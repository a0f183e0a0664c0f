"""What can be read on a screen: the text that is drawn, and how it stands out from its ground."""

from tui.app.app import BBAApp

DRAWN = {chr(code) for code in range(0x2500, 0x25A0)} | set(" ▲▼")  # frames, bars, bands and arrows: no text


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lines(app: BBAApp):
    """The segments of all that is drawn, row by row."""
    return [list(strip) for strip in app.screen._compositor.render_strips(app.size)]


def texts(app: BBAApp, box: str | None = None):
    """Every piece of text in a widget, or on the whole screen without the pictures of kitchens, with its style."""
    kitchens = [] if box else [widget.content_region for widget in app.screen.query("KitchenView, LayoutPicture")]
    room = app.screen.query_one(box).region if box else app.screen.region
    for y, row in enumerate(lines(app)):
        x = 0
        for segment in row:
            cell, x = (x, y), x + segment.cell_length
            within = room.contains(*cell) and not any(region.contains(*cell) for region in kitchens)
            if within and not set(segment.text) <= DRAWN:
                yield segment.text.strip(), segment.style


def unreadable(app: BBAApp, least: float, box: str | None = None) -> set:
    pairs = {(text, style.color.triplet, style.bgcolor.triplet) for text, style in texts(app, box)}
    return {pair for pair in pairs if contrast(pair[1], pair[2]) < least}
