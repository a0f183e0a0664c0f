"""An endpoint for every test, and nothing from outside."""

import openai  # noqa: F401 - now, so that its import counts towards no test's deadline
import pytest

from tests.planner.llm.server import running
from tests.planner.llm.support import forget_outside


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch):
    forget_outside(monkeypatch)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint
