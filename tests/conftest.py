"""Settings for every test: colours as on a plain terminal, and drawn examples that are the same in every run."""

import os

from hypothesis import HealthCheck, settings

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
