"""The training of two policies beside each other: each round of the one is beside the other as it is then."""

from collections.abc import Callable
from dataclasses import dataclass

from bba.learning.rl.trainer import CurvePoint, Trainer, TrainingResult


@dataclass(frozen=True, slots=True)
class PairTrainer:
    """Trains a policy and its companion in turn, round by round; the companion goes first.

    Both continue from their checkpoints. What is reported, and how the best policy is chosen, is the policy's.

    Attributes:
        trainer: of the policy, which keeps the companion's policy with its best one.
        companion: of the companion.
    """

    trainer: Trainer
    companion: Trainer

    def run(self, report: Callable[[CurvePoint], None] = lambda _: None) -> TrainingResult:
        """Trains to the end and returns the result of the policy; `report` is called with each new point of it."""
        self.companion.begin()
        self.trainer.begin(report)
        while not self.trainer.over:
            if self.companion.rounds <= self.trainer.rounds:
                self.companion.advance()
            self.trainer.advance(report)
        return self.trainer.result
