"""The picture of a kitchen: the board in the project's pixel art, and below it what the picture does not show."""

from bba.analysis import names
from bba.kitchen import Kitchen, Layout, Scene
from bba.kitchen.render.painter import Painter
from bba.kitchen.render.sprites import RGBImage
from bba.notebook.drawing import image_element, svg, text_element

ART = 8  # pixels a tile of the painted board
TILE = 40  # pixels a tile of the picture
LINE, MARGIN = 18, 8  # the height of a line of text, and the room around it
NARROWEST = 360  # pixels that the text needs


def kitchen_svg(kitchen: Kitchen) -> str:
    """Returns the picture of a kitchen as it is now."""
    return picture(kitchen.layout, kitchen.scene())


def scene_svg(scene: Scene) -> str | None:
    """Returns the picture of a scene; None for one that does not know its layout."""
    return None if scene.kitchen is None else picture(scene.kitchen, scene)


def picture(layout: Layout, scene: Scene) -> str:
    """Returns the picture of a scene on its layout."""
    width, height = TILE * layout.width, TILE * layout.height
    lines = scene_lines(scene)
    texts = (text_element(line, (MARGIN, height + MARGIN + LINE * row - 4)) for row, line in enumerate(lines, 1))
    room = height + 2 * MARGIN + LINE * len(lines)
    return svg([image_element(board(layout, scene), (width, height)), *texts], max(width, NARROWEST), room)


def board(layout: Layout, scene: Scene) -> RGBImage:
    """Returns the painted board, `ART` pixels a tile."""
    return Painter(layout.rows, ART, layout.pass_counters).paint(scene)


def scene_lines(scene: Scene) -> list[str]:
    """Returns step and score, what both players hold, and the orders, in words."""
    held = (f"player {player}: {names.item(view.held)}" for player, view in enumerate(scene.players))
    orders = (f"order: {names.item(order.dish)}, {order.left} steps left" for order in scene.orders)
    return [f"step {scene.step}, score {scene.score}", "; ".join(held), *orders]
