"""What the engines keep from a user."""

import warnings
from pathlib import Path

from loky import process_executor

from bba.bench.engines import REPLACED_WORKER, ProcessEngine


def test_a_worker_that_is_replaced_because_its_memory_has_grown_is_no_warning():
    with warnings.catch_warnings(record=True) as heard:
        warnings.resetwarnings()
        ProcessEngine(1)
        warnings.warn(f"{REPLACED_WORKER}. This can be caused by a memory leak", UserWarning, stacklevel=1)
        warnings.warn("another", UserWarning, stacklevel=1)
    assert [str(warning.message) for warning in heard] == ["another"]


def test_the_warning_is_that_of_loky():
    assert "A worker stopped while some jobs were given to " in Path(process_executor.__file__).read_text()
