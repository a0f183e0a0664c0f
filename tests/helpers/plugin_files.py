"""A module with one plug-in of each kind, written into a folder as somebody outside the project would."""

from contextlib import contextmanager
from textwrap import dedent

from bba.plugins import loading

SOURCE = dedent('''
    import numpy as np
    from pydantic import BaseModel, Field

    from bba.agents import Decision, Profile
    from bba.agents.planning_agent import partner_model
    from bba.analysis.measures import Measure
    from bba.belief import PartnerModel
    from bba.config import BeliefConfig
    from bba.kitchen import constants
    from bba.kitchen.constants import Action
    from bba.kitchen.layout import grid_of
    from bba.report.content import OwnTable


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


    class Northward(Random):
        def decide(self, observation):
            return Action.NORTH


    class Walking(Random):
        def decide(self, observation):
            return Decision(action=Action.NORTH)


    def lonely(observation):
        return 4


    class Believing(Random):
        """Has a belief of its own, with no profile."""

        def reset(self, context):
            super().reset(context)
            self._model = partner_model(context, BeliefConfig())

        def observe(self, observation):
            return self._model.observe(observation.before, observation.state, mid_skill=observation.running >= 0)


    class Declaring(Believing):
        profile = Profile("declaring", belief_config=BeliefConfig())


    class Babbling(Random):
        def observe(self, observation):
            return "cooks rice"


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


    def waits(trace) -> int:
        """Steps in which the ego waits. More text."""
        return sum(tick.skills[0] == constants.SKILL_STAY for tick in trace.ticks)


    def share_of_waits(trace):
        return np.float64(waits(trace) / len(trace.ticks))


    def undefined(trace):
        return float("nan")


    def wordy(trace):
        return "many"


    def broken(trace):
        return trace.nothing


    def last(span):
        return span.ticks[-1].reward


    LAST_REWARD = Measure("any", "last reward", "the reward of the last step", last, better=1)


    class Uniform(PartnerModel):
        """Believes nothing, in the end."""

        def __init__(self, context, belief_config, share: float = 1.0) -> None:
            super().__init__(grid_of(context.layout), 1 - context.player, belief_config,
                             stay_model=context.partner_stay_model)
            self.share = share

        def observe(self, before, state, *, mid_skill):
            update = super().observe(before, state, mid_skill=mid_skill)
            size = len(self.hypotheses.names)
            return update._replace(belief=update.belief._replace(posterior=(self.share / size,) * size))


    class Formless(Uniform):
        def observe(self, before, state, *, mid_skill):
            return {"serve": 1.0}


    class Empty:
        def __init__(self, context, belief_config):
            pass


    def partners(run):
        """Games by partner."""
        names = [entry.partner for entry in run.entries]
        return OwnTable(("partner", "games"), tuple((name, names.count(name)) for name in dict.fromkeys(names)))


    def crooked(run):
        return OwnTable(("partner", "games"), (("one",),))


    def square(run):
        """A square."""
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'


    KITCHENS = FOLDER
''')


def write_plugins(folder, source=SOURCE, name="outside.py"):
    """Writes the module and returns its path as text."""
    path = folder / name
    path.write_text(source.replace("FOLDER", repr(str(folder))), "utf-8")
    return str(path)


@contextmanager
def loaded_again():
    """Imports plug-ins anew, as another process would."""
    loading._file_module.cache_clear()
    yield
    loading._file_module.cache_clear()
