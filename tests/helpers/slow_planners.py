"""Planners that take their time: they answer as the scripted one does, when a test lets them or after a while."""

import threading
import time

from bba.planner import ScriptedBackend, Usage

PATIENCE = 120.0  # seconds; reached only when something is broken
SPENT = Usage(100, 10, 1.0, 0.5)  # what every answer costs


class SlowBackend(ScriptedBackend):
    """Answers once it is let go; says what it is told to, if anything, or raises it."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.free, self.answered = threading.Event(), threading.Event()

    def complete(self, messages):
        self.asked.append([dict(message) for message in messages])
        assert self.free.wait(PATIENCE)
        self.answered.set()
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        reply = super().complete(messages)
        return reply._replace(text=answer or reply.text, usage=SPENT)


class AskedBackend(ScriptedBackend):
    """Answers one question each time that it is let go; `asked` counts those that have come to it."""

    def __init__(self):
        self.asked, self.may_answer = 0, threading.Semaphore(0)

    def complete(self, messages):
        self.asked += 1
        assert self.may_answer.acquire(timeout=PATIENCE)
        return super().complete(messages)._replace(usage=SPENT)


class SleepyBackend(ScriptedBackend):
    """Answers after so many seconds."""

    def __init__(self, seconds):
        self.seconds = seconds

    def complete(self, messages):
        time.sleep(self.seconds)
        return super().complete(messages)._replace(usage=SPENT)


def wait_for_answer(agent):
    """Wait until an asynchronous agent's decision has arrived; the next step polls it."""
    wait_until_true(lambda: agent._answer.done())


def wait_until_true(holds):
    """Wait until something holds that another thread brings about."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.001)
