"""The address that `ModelOptions` had; it goes with the next release."""

from bba.planner.model_options import ModelOptions as ModelOptions
