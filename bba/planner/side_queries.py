"""Side queries: what a model is asked besides the choice of a skill (whether to replan, what the partner is doing)."""

from collections.abc import Callable

from bba.planner.ask_with_retries import ask_with_retries
from bba.planner.chat import ChatBackend, Message
from bba.planner.llm_call import LLMCall
from bba.planner.planner_input import PlannerInput
from bba.planner.prompts import Prompts, QueryKind


class SideQuerier:
    """Asks a model side queries. It keeps no history: every query stands alone.

    Args:
        backend: the model.
        prompts: the prompt templates.
        retries: how often an unusable response is sent back, 0 or more.
    """

    def __init__(self, backend: ChatBackend, prompts: Prompts, retries: int) -> None:
        self._backend, self._prompts, self._retries = backend, prompts, retries

    def ask(
        self,
        kind: QueryKind,
        planner_input: PlannerInput,
        answer_error: Callable[[str], str | None],
        **values: object,
    ) -> LLMCall:
        """Asks one side query.

        Args:
            kind: what is asked.
            planner_input: what the planner would be told at this step.
            answer_error: returns what is wrong with a response; None if it can be used.
            values: the placeholders of the query's template besides the scene and the two player numbers.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        messages = (
            Message(role="system", content=self._prompts.system("side_query", planner_input)),
            Message(role="user", content=self._prompts.query(kind, planner_input, **values)),
        )
        retry_message = self._prompts.retry_side_query
        return ask_with_retries(self._backend, kind, messages, answer_error, retry_message, self._retries)
