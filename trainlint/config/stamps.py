"""What tells that a file beside the code changed, came or went, without reading it."""

from __future__ import annotations

import os
from collections.abc import Iterable


def stamps(paths: Iterable[str | os.PathLike[str]]) -> list[tuple[str, int, int]]:
    """Of the files among these that are there: path, bytes, and when it was changed last (nanoseconds)."""
    found: list[tuple[str, int, int]] = []
    for path in paths:
        try:
            about = os.stat(path)  # noqa: PTH116 - thousands of paths, most of which lead nowhere
        except OSError:
            continue
        found.append((os.fspath(path), about.st_size, about.st_mtime_ns))
    return found
