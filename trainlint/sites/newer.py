"""Whether a text is Python that only a newer interpreter reads: libcst's parser knows it, this one does not."""

from __future__ import annotations


def parses(code: str) -> bool:
    """Whether libcst parses the text; may raise what its parser raises."""
    import libcst

    libcst.parse_module(code)
    return True
