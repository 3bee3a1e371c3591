"""What the rules about modes ask, in one place."""

from __future__ import annotations

from trainlint.facts.modes.always import Dropping, always_dropping
from trainlint.facts.modes.left import Left, left_in_evaluation
from trainlint.facts.modes.loaded import AsMade, evaluated_as_made
from trainlint.facts.modes.recorded import Recorded, recorded
from trainlint.facts.modes.restoring import Place, model_run, place_of
from trainlint.facts.modes.trained_mode import Unswitched, evaluated_in_training

__all__ = [
    "AsMade",
    "Dropping",
    "Left",
    "Place",
    "Recorded",
    "Unswitched",
    "always_dropping",
    "evaluated_as_made",
    "evaluated_in_training",
    "left_in_evaluation",
    "model_run",
    "place_of",
    "recorded",
]
