"""`python -m benchmarks.card_schema > configs/protocols/score_card.schema.json`: the JSON schema of score cards."""

import json
import sys

from bba.bench.score_card.card import ScoreCard

TITLE = "Score card of bba-tui, version 1"


def schema_text() -> str:
    """Returns the schema (JSON Schema 2020-12), made from the model that reads cards."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ScoreCard.model_json_schema()
    for name, part in schema["$defs"].items():
        if not name.startswith("Card"):
            part.pop("description", None)  # of the options and profiles, which are described where they are
    return json.dumps(schema | {"title": TITLE}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
