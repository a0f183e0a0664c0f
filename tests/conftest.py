"""Settings for every test: plain colours, drawn examples that are the same in every run, and no haste on the screen."""

import os

from hypothesis import HealthCheck, settings

from tests.tui.waiting import wait_for_the_app

os.environ.pop("NO_COLOR", None)

settings.register_profile(
    "same-every-run",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("same-every-run")

wait_for_the_app()
