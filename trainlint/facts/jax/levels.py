"""What a value is while JAX traces."""

from __future__ import annotations

from typing import Literal

Level = Literal["array", "tree", "static"]
"""One traced array; something of which the parts are traced (or it is an array after all); what Python knows."""
ARRAY: Level = "array"
TREE: Level = "tree"
STATIC: Level = "static"
TRACED = (ARRAY, TREE)

__all__ = ["ARRAY", "STATIC", "TRACED", "TREE", "Level"]
