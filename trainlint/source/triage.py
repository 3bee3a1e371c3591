r"""The words of a file, without parsing it: what decides whether it is worth parsing.

Both functions look at bytes and over-approximate: words in comments and strings count too, so "absent" is certain and
"present" is not. For a notebook pass ``source.code.encode()``, not its JSON: there ``\n`` is written as an escape and
glues an ``n`` to the next word.

Measured on 13,351 files of an installed Python 3.11 (4.5 million lines), garbage collector off: ``ast.parse`` 17.1 s,
reading 0.24 s, :func:`words` 1.41 s, :func:`defined` 0.22 s: together 11% of parsing.
"""

from __future__ import annotations

import re

_NAME_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(range(0x80, 0x100))
_BLANK_ALL_BUT_NAMES = bytes(byte if byte in _NAME_BYTES else 0x20 for byte in range(0x100))

# Two patterns that each begin with a literal are five times faster than one with an alternative. What must follow
# the name keeps prose out ("a class that …").
_NAME = rb"[ \t]+([A-Za-z_\x80-\xff][0-9A-Za-z_\x80-\xff]*)[ \t]*"
_DEF = rb"def" + _NAME + rb"[(\[\\]"
_CLASS = rb"class" + _NAME + rb"[:(\[\\]"


def words(data: bytes) -> frozenset[bytes]:
    """Return every identifier in ``data`` (and numbers, which do no harm), wherever it stands.

    Splitting at everything that cannot be part of a name is twice as fast as a regular expression.
    """
    return frozenset(data.translate(_BLANK_ALL_BUT_NAMES).split())


def defined(data: bytes) -> list[bytes]:
    """Return the names after ``def`` and ``class``, in this order: functions, then classes, each as often as it is defined."""
    return re.findall(_DEF, data) + re.findall(_CLASS, data)
