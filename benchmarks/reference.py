"""What is measured in a virtual environment of its own: its requirements would change ours, or are large.

Other kitchens: Overcooked-AI is the yardstick, as it needs a NumPy older than ours; JaxMARL's OvercookedV2 plays many
at once. And other libraries that read what our batch observes, PyTorch and JAX (`benchmarks.array_readers`).
"""

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from benchmarks.timing import Subject

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Peer:
    """Another kitchen, or a library that reads ours.

    Args:
        name: its package.
        version: of the package.
        others: what its own requirements leave open or out, without which it does not import; options of pip.
        player: a program that plays for as many steps as each line of stdin says, then answers with a line. What it
            says before it ends without being asked to is why it cannot play.
        steps: how many it plays at a time.
        what: it does, in the table's words.
        how: it does so, in the table's words.
    """

    name: str
    version: str
    others: tuple[str, ...]
    player: str
    steps: int
    what: str
    how: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


OVERCOOKED_AI = Peer(
    name="overcooked-ai",
    version="1.1.0",
    others=("numpy<2", "scipy"),
    steps=8_000,
    what="random primitives",
    how="as it comes",
    player="""
import random, sys
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

env = OvercookedEnv.from_mdp(OvercookedGridworld.from_layout_name("cramped_room"), horizon=400, info_level=0)
pairs = [(first, second) for first in Action.ALL_ACTIONS for second in Action.ALL_ACTIONS]
draw = random.Random(0).choice
print("ready", flush=True)
for line in sys.stdin:
    left = int(line)
    while left > 0:
        env.reset()
        over = False
        while not over and left > 0:
            over = env.step(draw(pairs))[2]
            left -= 1
    print("done", flush=True)
""",
)
JAXMARL = Peer(
    name="jaxmarl",
    version="0.2.0",
    others=(),
    steps=1024 * 200,
    what="random primitives, observed",
    how="batch of 1024, all cores",
    # The observations are carried from step to step, else the compiler would leave them out.
    player="""
import sys
import jax
import jax.numpy as jnp
import jaxmarl

GAMES = 1024
env = jaxmarl.make("overcooked_v2", layout="cramped_room")

def step(carried, _):
    key, _, state = carried
    key, key_actions, key_step = jax.random.split(key, 3)
    actions = jax.random.randint(key_actions, (len(env.agents), GAMES), 0, 6)
    seen, state, *_ = jax.vmap(env.step)(jax.random.split(key_step, GAMES), state, dict(zip(env.agents, actions)))
    return (key, seen, state), None

@jax.jit
def play(carried):
    return jax.lax.scan(step, carried, None, length=100)[0]

key = jax.random.PRNGKey(0)
carried = play((key, *jax.vmap(env.reset)(jax.random.split(key, GAMES))))
jax.block_until_ready(carried)
print("ready", flush=True)
for line in sys.stdin:
    for _ in range(int(line) // (100 * GAMES)):
        carried = play(carried)
    jax.block_until_ready(carried)
    print("done", flush=True)
""",
)
READING_GAMES = 16_384
PYTORCH = Peer(
    name="torch",
    version="2.13.0",
    others=("--editable", str(ROOT)),
    steps=READING_GAMES * 6,
    what="reads our batch without a copy",
    how=f"batch of {READING_GAMES}, all cores",
    player=f"""
from benchmarks.array_readers import PyTorchReader, answer

answer(PyTorchReader({READING_GAMES}))
""",
)
JAX = Peer(
    name="jax",
    version="0.10.2",
    others=("--editable", str(ROOT)),
    steps=READING_GAMES * 6,
    what="reads our batch without a copy",
    how=f"batch of {READING_GAMES}, all cores",
    player=f"""
from benchmarks.array_readers import JaxReader, answer

answer(JaxReader({READING_GAMES}))
""",
)
PEERS = OVERCOOKED_AI, JAXMARL, PYTORCH, JAX


class Unavailable(Exception):
    """A peer cannot be installed or run here; the message says why, in one line."""


class RunningPeer:
    """A peer that plays on request. Use as a context manager.

    Raises:
        Unavailable: it cannot be installed (no network, no fitting Python) or does not start.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._process = subprocess.Popen(
            [_python(peer), "-c", peer.player],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,  # where a program given by -c finds our modules, and not those of another checkout
            env=os.environ | {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "JAX_PLATFORMS": "cpu"},
        )
        self._wait_for("ready")

    def __enter__(self) -> "RunningPeer":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def subject(self) -> Subject:
        """What it plays."""
        return Subject(f"{self._peer}, {self._peer.what}", self._peer.how, self._play)

    def _play(self) -> int:
        assert self._process.stdin
        self._process.stdin.write(f"{self._peer.steps}\n")
        self._process.stdin.flush()
        self._wait_for("done")
        return self._peer.steps

    def _wait_for(self, word: str) -> None:
        assert self._process.stdout
        said = ""
        for line in self._process.stdout:
            said = line.strip()
            if said == word:
                return
        raise Unavailable(f"{self._peer} does not run ({said or f'exit status {self._process.wait()}'})")


def _python(peer: Peer) -> str:
    """The interpreter of a peer's environment, which is made on first use."""
    folder = platformdirs.user_cache_path("bba-tui") / f"{peer.name}-{peer.version}-py{sys.version_info.minor}"
    if not (folder / "complete").exists():
        _install(peer, folder)
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def _install(peer: Peer, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True)
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        requirements = (f"{peer.name}=={peer.version}", *peer.others)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
            check=True,
            capture_output=True,
            text=True,
        )
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or str(error)).strip().splitlines()
        raise Unavailable(f"{peer} cannot be installed: {lines[-1]}") from None
    except OSError as error:
        raise Unavailable(f"{peer} cannot be installed: {error}") from None
    (folder / "complete").touch()
