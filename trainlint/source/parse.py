"""From a source to the syntax tree of CPython, whatever the source holds.

Python 2: which texts that no Python 3 reads are written in it.

No parser of it is at hand. What it spells otherwise is known, though; it is looked for in the line in which Python 3 stops.

What the interpreters do with machine-written text (measured on x86-64 Linux: 3.10.13, 3.11.7, 3.12.1, 3.13.0; main
thread, 8 MB stack, unless said otherwise):

================================  =====================================================================================
10,000-term ``and``, 10,000       parsed by all: these trees are flat
adjacent string pieces
2,000-term sum                    parsed by all
10,000-term sum, 10,000           3.10 parses them, without any limit: a chain of 100,000 calls or a sum of 1,000,000
chained calls                     **kills the process**, and is fine on a 512 MB stack.
                                  3.11: RecursionError; parsed with a recursion limit of 50,000 on a large stack (its
                                  limit for trees is three times the recursion limit).
                                  3.12 (from about 2,400 levels), 3.13 (from about 10,000): RecursionError, always
10,000 ``elif``, ``not``, ``**``  MemoryError by all: the parser's own recursion is limited to 6,000 (3.13: 4,000).
                                  3,000 ``elif`` pass in 3.10 and 3.13, in 3.11 on a large stack
10,000 nested brackets            SyntaxError by all: 200 levels
10,000 nested blocks              IndentationError by all: 100 levels
a file of 10 MB                   parsed by all, in 12 to 16 s
a list of 2 million numbers       parsed by all, and takes 1.7 to 1.9 GB: hence :data:`MAX_BYTES`
freeing a tree of 1,000,000       no problem on the main thread. 3.13 dies of 10,000 levels already on a thread with
levels                            512 kB of stack, not with 1 MB: such threads must not be the last to hold a deep tree
50 kinds of text with up to 190   parsed or refused by all in less than 50 ms: no exponential time was found
open brackets or blocks
================================  =====================================================================================

So: a text that could be deep is parsed on a large stack from the start (that alone saves 3.10), any other text that
meets a RecursionError is tried there again, and no check of brackets or ``elif`` is needed before the parser runs.

The trees that come out can still be deep: 10,000 levels in 3.13, 150,000 in 3.11, 1,000,000 (as many as fit in
:data:`MAX_BYTES`) in 3.10. Who walks them recursively does it in :func:`trainlint.source.deep.run_deep` or takes the
RecursionError.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Callable

from trainlint.source.deep import run_deep
from trainlint.source.text import Source, UnparsableSource

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


MAX_BYTES = 2 << 20
"""The longest code that is parsed, in bytes of UTF-8. The worst such text (numbers and commas) costs almost 1 GB."""

# Each level of a tree needs at least one of these bytes (or a keyword, whose recursion the parser limits itself).
_LEVEL_BYTES = b".([{+-*/%@&|^<>"
# A tree of this many levels needs about 2 MB of stack in 3.10.
_SAFE_LEVELS = 20_000

# libcst has no limits of its own: with 10,000 nested lists the process dies even on a large stack, and a chain of 20,000
# calls takes it more than a minute.
_SAFE_NESTING = 200
_SAFE_OPERATORS = 1_000
_OPERATOR = r"[.(\[+\-*/%@&|^<>=~]|\b(?:and|or|not|if|in|is|lambda|await)\b"

_BEYOND_LIMITS = "too many nested|too many levels of indentation|nested too deeply"
# libcst reads strings as they stand; what is wrong in them is wrong in every Python.
_WRONG_IN_EVERY_VERSION = r"\((?:unicode|value) error\)|bytes can only contain|Exceeds the limit"

# catch_warnings swaps the interpreter's filters; two threads that do it at once can leave the wrong ones behind.
_warning_filters = threading.Lock()


def parse(source: Source, also_parses: Callable[[str], bool] | None = None, *, max_bytes: int = MAX_BYTES) -> ast.Module:
    """Return the syntax tree of ``source.code``; raises UnparsableSource and nothing else.

    ``also_parses`` is asked about text that this Python refuses (but that is not so deep that asking would be
    dangerous): whether a parser of newer syntax accepts it. It may raise; that counts as no.
    """
    code = source.code
    _check_size(code, max_bytes)
    _check_characters(source)
    try:
        return _tree(code)
    except SyntaxError as error:
        raise _from_syntax_error(source, error, also_parses) from error
    except RecursionError as error:
        raise UnparsableSource("too-complex", "is nested too deeply for Python's parser") from error
    except MemoryError as error:
        raise UnparsableSource("too-complex", "is nested too deeply for Python's parser, or memory ran out") from error
    except Exception as error:  # a defect of the parser (SystemError, OverflowError …) is not ours to die of
        raise UnparsableSource("unreadable", f"Python's parser failed: {error}") from error


def _check_size(code: str, max_bytes: int) -> None:
    # No character is longer than four bytes: most texts are known to be short enough without encoding them.
    if len(code) * 4 > max_bytes and len(code.encode("utf-8", "replace")) > max_bytes:
        raise UnparsableSource("too-complex", f"is larger than {max_bytes:,} bytes")


def _check_characters(source: Source) -> None:
    """Refuse what CPython refuses, but with the place, and in the same way in every version."""
    code = source.code
    null = code.find("\0")
    if null >= 0:
        raise UnparsableSource("unreadable", "source code cannot contain null bytes", *source.place(null))
    if not code.isascii():
        try:
            code.encode()
        except UnicodeEncodeError as error:
            message = "source code cannot contain half a character (a lone surrogate)"
            raise UnparsableSource("unreadable", message, *source.place(error.start)) from error


def _tree(code: str) -> ast.Module:
    with _warning_filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes are not our business
        if not _could_be_deep(code):
            try:
                return ast.parse(code)
            except RecursionError:
                pass  # a larger stack may help
        return run_deep(lambda: ast.parse(code))


def _could_be_deep(code: str) -> bool:
    if len(code) < _SAFE_LEVELS:
        return False
    data = code.encode()
    return len(data) - len(data.translate(None, _LEVEL_BYTES)) >= _SAFE_LEVELS


def _from_syntax_error(source: Source, error: SyntaxError, also_parses: Callable[[str], bool] | None) -> UnparsableSource:
    line = min(max(error.lineno or 1, 1), len(source.lines))
    column = min(max(error.offset or 1, 1), len(source.lines[line - 1]) + 1)
    message = error.msg or "invalid syntax"
    if re.search(_BEYOND_LIMITS, message):
        return UnparsableSource("too-complex", message, line, column)
    if also_parses is not None and not re.search(_WRONG_IN_EVERY_VERSION, message) and _accepts(also_parses, source.code):
        return UnparsableSource("newer-syntax", message, line, column)
    if is_old(source.lines[line - 1], error):
        return UnparsableSource("old-syntax", message, line, column)
    return UnparsableSource("unreadable", message, line, column)


def _accepts(also_parses: Callable[[str], bool], code: str) -> bool:
    from trainlint.source.logical import statements  # its pattern is worth a millisecond of every start

    if not all(_is_shallow(code[start:end], nesting) for start, end, nesting in statements(code)):
        return False
    try:
        return run_deep(lambda: also_parses(code))
    except Exception:  # noqa: BLE001 - another parser's failure is only a "no"
        return False


def _is_shallow(statement: str, nesting: int) -> bool:
    if nesting > _SAFE_NESTING:
        return False
    return len(statement) < _SAFE_OPERATORS or len(re.findall(_OPERATOR, statement)) <= _SAFE_OPERATORS


__all__ = ["MAX_BYTES", "UnparsableSource", "parse"]


def is_python(code: str | bytes) -> bool:
    """Whether a short text is Python to this interpreter, as it stands."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
