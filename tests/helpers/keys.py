"""Keys that are pressed faster than the screen is drawn."""

from textual.events import Key
from textual.keys import _character_to_key


async def press_at_once(pilot, *keys: str) -> None:
    """Press keys one after the other, and wait for the screen after the last one alone.

    Which saves most of their time. All of them have to be for the screen that is on top before the first.
    """
    for key in keys:
        single = len(key) == 1
        event = Key(_character_to_key(key) if single and not key.isalnum() else key, key if single else None)
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
    await pilot.pause()
