"""What the rules about modes ask, in one place."""

from __future__ import annotations

from trainlint.facts.modes.left import Left, left_in_evaluation
from trainlint.facts.modes.restoring import Place, place_of, written

__all__ = ["Left", "Place", "left_in_evaluation", "place_of", "written"]
