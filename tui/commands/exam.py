"""The command `exam`."""

from bba.settings import PlayerOptions
from tui.arguments.options import AsJson, CommandOptions, ModelsOptions, Out, SpendingOptions, Verbose


class ExamOptions(SpendingOptions, ModelsOptions, PlayerOptions, CommandOptions):
    """Options of `exam`."""

    as_json: AsJson = False
    out: Out = None
    verbose: Verbose = False


def exam(options: ExamOptions) -> None:
    """Put 200 questions to a planner, and compare planners.

    Raises:
        BBAError: an unsuitable option, answers that cannot be kept, or a model that does not answer.
    """
    from tui.commands.exam_taking import take_exam

    take_exam(options)
