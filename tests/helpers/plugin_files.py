"""A module with one plug-in of each kind, written into a folder as somebody outside the project would."""

from contextlib import contextmanager
from textwrap import dedent

from bba.plugins import loading

SOURCE = dedent('''
    import numpy as np
    from pydantic import BaseModel, Field

    from bba.agents import Decision
    from bba.kitchen import constants


    class Random:
        """Plays at random."""

        def __init__(self, temperature: float = 1.0, sloth: bool = False) -> None:
            self.temperature, self.sloth = temperature, sloth

        def reset(self, context):
            self._seed = (context.seed, context.player)

        def observe(self, observation):
            pass

        def decide(self, observation):
            if observation.running != constants.NO_SKILL:
                return None
            if self.sloth:
                return constants.SKILL_STAY
            return np.random.default_rng((*self._seed, observation.step)).choice(observation.feasible())

        def commit(self, observation, decision):
            pass


    class Failing(Random):
        def decide(self, observation):
            return 1 // 0 if observation.step > 5 else super().decide(observation)


    class Once(Random):
        forkable = False


    class Infeasible(Random):
        def decide(self, observation):
            return next(skill for skill in range(27) if skill not in observation.feasible())


    class Unplayable(Random):
        def decide(self, observation):
            return "chop"


    class Halfway:
        def reset(self, context):
            pass


    class Strictness(BaseModel):
        threshold: float = Field(0.5, ge=0, le=1)


    class Doubt:
        """Interrupts while the belief is low."""

        def __init__(self, strictness: Strictness) -> None:
            self.strictness = strictness

        def __call__(self, context):
            return context.belief is not None and context.belief.confidence < self.strictness.threshold


    def late(context, step: int = 20):
        return context.observation.step == step


    def vague(context):
        return "perhaps"


    class First:
        """Answers every prompt with waiting."""

        def complete(self, messages):
            return "ACTION: STAY"


    class Dumb:
        def complete(self, messages):
            return 7
''')


def write_plugins(folder, source=SOURCE, name="outside.py"):
    """Writes the module and returns its path as text."""
    path = folder / name
    path.write_text(source, "utf-8")
    return str(path)


@contextmanager
def loaded_again():
    """Imports plug-ins anew, as another process would."""
    loading._file_module.cache_clear()
    yield
    loading._file_module.cache_clear()
