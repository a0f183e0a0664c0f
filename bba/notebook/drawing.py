"""What the drawings of a notebook share: images as PNG files inside the page, text and bars as SVG elements."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterable
from html import escape

from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK

MAGIC = b"\x89PNG\r\n\x1a\n"
RGB = b"\x08\x02\x00\x00\x00"  # 8 bits for each of three colours, in rows from top to bottom
FONT = "font-family='sans-serif' font-size='13'"


def png(image: RGBImage) -> bytes:
    """Returns an image, uint8 (height, width, 3), as a PNG file. It needs no library for pictures."""
    height, width = image.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in image)  # 0: the row is stored as it is
    parts = ((b"IHDR", struct.pack(">II", width, height) + RGB), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return MAGIC + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def image_element(image: RGBImage, size: tuple[int, int], place: tuple[int, int] = (0, 0)) -> str:
    """Returns an image as an SVG element of this size at this place, its pixels as squares."""
    data = b64encode(png(image)).decode()
    return (
        f'<image x="{place[0]}" y="{place[1]}" width="{size[0]}" height="{size[1]}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
    )


def text_element(text: str, place: tuple[float, float], colour: str = DARK.text, more: str = "") -> str:
    """Returns a line of text as an SVG element; `more` holds further attributes."""
    return f'<text x="{place[0]}" y="{place[1]}" fill="{colour}" {FONT} {more}>{escape(text)}</text>'


def svg(parts: Iterable[str], width: int, height: int) -> str:
    """Returns a drawing of these elements on the dark panel."""
    ground = f'<rect width="{width}" height="{height}" fill="{DARK.panel}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{ground}{''.join(parts)}</svg>"
    )
