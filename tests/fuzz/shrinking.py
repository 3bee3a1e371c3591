"""Making an input that fails as small as it can easily be."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

#: Seconds: nobody waits longer for a smaller input.
_PATIENCE = 90.0


def smaller(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """An input that fails as ``data`` does, with fewer lines, then with fewer tokens."""
    end = time.monotonic() + _PATIENCE
    for pattern in (rb"[^\n]*\n|[^\n]+", rb"\w+|\s+|[^\w\s]"):
        data = _fewer(re.findall(pattern, data), fails, end)
    return data


def _fewer(pieces: list[bytes], fails: Callable[[bytes], bool], end: float) -> bytes:
    size = max(len(pieces) // 2, 1)
    while True:
        at, removed = 0, False
        while at < len(pieces) and time.monotonic() < end:
            rest = pieces[:at] + pieces[at + size :]
            if fails(b"".join(rest)):
                pieces, removed = rest, True
            else:
                at += size
        if time.monotonic() >= end or (size == 1 and not removed):
            return b"".join(pieces)
        size = max(size // 2, 1)
