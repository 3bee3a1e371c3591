"""Python 2: which texts that no Python 3 reads are written in it.

No parser of it is at hand. What it spells otherwise is known, though; it is looked for in the line in which Python 3 stops.
"""

from __future__ import annotations

import re

#: What begins an operand and cannot follow on a name in Python 3: another name, a number, a text.
_OPERAND = r"""["'\w`~{]"""
_SPELLED = re.compile(
    rf"""
      \b(?:print|exec)[ \t]+{_OPERAND}                          # print "done", exec code
    | \braise[ \t]+[\w.]+(?:\([^()]*\))?[ \t]*,                 # raise ValueError, "no"
    | \bexcept[ \t]+(?:[\w.]+|\([^()]*\))[ \t]*,[ \t]*\w+[ \t]*: # except ValueError, error:
    | (?<![\w.])(?:0[0-7]+|(?:0[xX][0-9a-fA-F]+|[0-9]+)[lL])\b  # 0755, 10L
    | \b[uU][rR]["']                                            # ur"..."
    | <>
    | `
    | \b(?:def[ \t]+\w+[ \t]*\(|lambda\b)[^=:]*\(               # def f(a, (b, c))
    """,
    re.VERBOSE,
)


def is_old(line: str, error: SyntaxError) -> bool:
    """Whether the line in which Python 3 stopped with this error is Python 2."""
    return isinstance(error, TabError) or _SPELLED.search(line) is not None
