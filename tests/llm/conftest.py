"""An endpoint for every test, and nothing from outside."""

import openai  # noqa: F401 - now, so that its import counts towards no test's deadline
import pytest

from tests.helpers.fake_endpoint import running
from tests.helpers.model_backends import clear_environment


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch):
    clear_environment(monkeypatch)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint
