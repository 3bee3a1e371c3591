"""Source files: finding them, reading them, their words, their cells, their syntax trees.

The bottom of the house next to ``trainlint.finding``: nothing here knows a rule, a framework or a setting.
"""

from __future__ import annotations

from trainlint.source.text import Source, UnreadableSource

__all__ = ["Source", "UnreadableSource"]
