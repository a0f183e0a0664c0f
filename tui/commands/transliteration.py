"""Transliteration: output that does not take some sign of this program writes it in letters that every encoding has."""

import codecs
import io
import sys
import unicodedata

# What stands for signs of this program where an encoding does not have them; of other letters the accents are left out.
SPELLED_OUT = {
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "→": "->",
    "←": "<-",
    "↑": "up",
    "↓": "down",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "·": ".",
    "•": "*",
    "θ": "theta",
    "Γ": "Gamma",
    "Λ": "Lambda",
    "λ": "lambda",
    "Ψ": "Psi",
    "ψ": "psi",
    "α": "alpha",
    "ε": "epsilon",
    "ℓ": "l",
    "★": "*",
    "☆": "+",
    "▲": "^",
    "△": "~",
    "▽": "v",
    "□": "#",
    "◆": "*",
    "●": "o",
    "✓": "yes",
    "✗": "no",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}
READABLE = "bba-readable"  # the name of this way to write what an encoding does not have


def _spell_out(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    said = "".join(map(_in_ascii, error.object[error.start : error.end]))
    return said, error.end


def _in_ascii(sign: str) -> str:
    bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return SPELLED_OUT.get(sign) or bare or "?"


def write_readably() -> None:
    """Lets output that does not take some sign write it in letters that everything takes."""
    codecs.register_error(READABLE, _spell_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=READABLE)
