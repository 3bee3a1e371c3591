"""What is too deep for libcst, decided without libcst.

libcst's native parser crashes the whole process on very long operator chains and its time grows with the square
(or worse) of the length of call chains. Nobody can catch a crash, so every text passes here first.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings

from trainlint.sites.errors import SiteRefused, SiteTooComplex

LEVELS = 500
"""Levels of nesting, operands of one chain, or pieces of one string beyond which a statement is not opened."""

# Whatever can add a level: operators, brackets, dots, keywords that nest, quotes (adjacent string pieces).
_NESTING = re.compile(r"[-+*/%@&|^~<>=.(\[{:\"']|\b(?:and|or|not|if|in|is|await|yield)\b")

_STRING_OPENERS = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")} - {-1}
_STRING_CLOSERS = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")} - {-1}
_NO_CODE = {tokenize.NL, tokenize.COMMENT}


def check_limits(text: str) -> None:
    r"""Return quietly when libcst may parse ``text`` (a whole module, lines ended by ``\\n``).

    Raises ``SiteTooComplex`` beyond ``LEVELS``; ``SiteRefused`` when the text is long and CPython cannot parse it,
    because then nobody knows how deep it is.
    """
    # Nearly all statements have fewer than LEVELS such tokens altogether: no parse is needed to see that they are fine.
    if sum(1 for _ in _NESTING.finditer(text)) <= LEVELS:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (RecursionError, MemoryError):
        raise SiteTooComplex("nested too deeply for Python's own parser") from None
    except (SyntaxError, ValueError) as error:
        raise SiteRefused(f"not parsed: {error}") from None
    if _is_deep(tree):
        raise SiteTooComplex(f"more than {LEVELS} levels or operands")
    if text.count('"') + text.count("'") > 2 * LEVELS and _longest_string_chain(text) > LEVELS:
        raise SiteTooComplex(f"a string of more than {LEVELS} pieces")


def _is_deep(tree: ast.AST) -> bool:
    """Whether some node lies deeper than ``LEVELS``; an operand of a flat chain counts as a level, as it does in libcst."""
    pending = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, ast.BoolOp):
            depth += len(node.values) - 2
        elif isinstance(node, ast.Compare):
            depth += len(node.ops) - 1
        if depth > LEVELS:
            return True
        pending.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return False


def _longest_string_chain(text: str) -> int:
    """The largest number of adjacent string pieces in ``text`` (CPython's tree has them already joined)."""
    longest = current = inside = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _STRING_OPENERS:
                inside += 1
            elif token.type in _STRING_CLOSERS:
                inside -= 1
                current += inside == 0
            elif token.type == tokenize.STRING and not inside:
                current += 1
            elif not inside and token.type not in _NO_CODE:
                current = 0
            longest = max(longest, current)
    except (tokenize.TokenError, SyntaxError):
        raise SiteRefused("not tokenised") from None
    return longest
