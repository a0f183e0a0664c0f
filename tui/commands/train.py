"""The command `train`."""

from bba.errors import BBAError
from bba.settings import FirstSeed
from tui.arguments.command import option
from tui.arguments.options import CommandOptions, Out, SomeKitchens, TrainingOptions, WorkerCount

PEOPLE = "human"  # what learns from a study
ONLY_POLICIES = ("train_steps", "workers")
ONLY_PEOPLE = ("from_study",)


class Train(TrainingOptions, SomeKitchens, CommandOptions):
    """Options of `train`."""

    policy: str = "all"
    out: Out = None
    workers: WorkerCount = None
    seed: FirstSeed = 0


def train(options: Train) -> None:
    """Train learned policies: bp, one as bp:G1-2, gamma, talents, planner or human.

    Raises:
        BBAError: an unsuitable option, a missing library, or runs that failed.
    """
    from tui.commands.training import train_human, train_policies

    if options.policy == PEOPLE:
        _check(options, ONLY_POLICIES)
        train_human(options)
    else:
        _check(options, ONLY_PEOPLE)
        train_policies(options)


def _check(options: Train, strange: tuple[str, ...]) -> None:
    """Checks that no option is set that does nothing for what is trained.

    Raises:
        BBAError: one is set.
    """
    for field in strange:
        if field in options.model_fields_set:
            fields = ("from_study", "train_steps", "layout", "layouts", "out", "workers", "seed", "config")
            own_options = ", ".join(option(name) for name in fields if name not in strange)
            raise BBAError(f"{option(field)}: does not go with train, which takes {own_options}")
