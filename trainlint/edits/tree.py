"""A parsed frame: the nodes of libcst, their kinds and places, and what is too deep for it.

Which libcst node stands for which kind of ``ast`` node.

What is too deep for libcst, decided without libcst.

libcst's native parser crashes the whole process on very long operator chains and its time grows with the square
(or worse) of the length of call chains. Nobody can catch a crash, so every text passes here first.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from trainlint.edits.site import Frame, SiteRefused, SiteTooComplex
from trainlint.finding import Span
from trainlint.source.deep import run_deep

_STRINGS = (cst.SimpleString, cst.ConcatenatedString)

_CLASSES: dict[str, tuple[type[cst.CSTNode], ...]] = {
    "AsyncFor": (cst.For,),
    "AsyncFunctionDef": (cst.FunctionDef,),
    "AsyncWith": (cst.With,),
    "BinOp": (cst.BinaryOperation,),
    "BoolOp": (cst.BooleanOperation,),
    "Compare": (cst.Comparison,),
    "Constant": (*_STRINGS, cst.Integer, cst.Float, cst.Imaginary, cst.Name, cst.Ellipsis),
    "Delete": (cst.Del,),
    "ExceptHandler": (cst.ExceptHandler, cst.ExceptStarHandler),
    "JoinedStr": (cst.FormattedString, cst.ConcatenatedString),
    "Starred": (cst.StarredElement, cst.Arg),
    "UnaryOp": (cst.UnaryOperation,),
    "Yield": (cst.Yield,),
    "YieldFrom": (cst.Yield,),
    "alias": (cst.ImportAlias, cst.ImportStar),
    "arg": (cst.Param,),
    "keyword": (cst.Arg,),
}

COMPOUND = (
    cst.If,
    cst.For,
    cst.While,
    cst.With,
    cst.Try,
    cst.TryStar,
    cst.Match,
    cst.FunctionDef,
    cst.ClassDef,
    cst.ExceptHandler,
)
"""Statements with a block: their ``ast`` span takes in a semicolon after their last statement, libcst's does not."""

_CONSTANT_NAMES = ("True", "False", "None")


def is_kind(node: cst.CSTNode, kind: str) -> bool:
    """Whether ``node`` is what ``ast`` calls ``kind`` ("Call", "AsyncFor", "keyword", ...; "expr": any expression)."""
    classes = _CLASSES.get(kind)
    if kind == "expr":
        return isinstance(node, cst.BaseExpression)
    if classes is None:
        # Most kinds have the same name in both; a kind nobody knows matches nothing.
        return type(node).__name__ == kind and not (kind == "Name" and _is_constant(node)) and not _is_async(node)
    if not isinstance(node, classes):
        return False
    if isinstance(node, cst.Name):
        return _is_constant(node)
    if isinstance(node, cst.Arg):
        return (node.star == "*") if kind == "Starred" else (node.keyword is not None or node.star == "**")
    if isinstance(node, cst.Yield):
        return isinstance(node.value, cst.From) == (kind == "YieldFrom")
    return _is_async(node) or not kind.startswith("Async")


def _is_constant(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value in _CONSTANT_NAMES


def _is_async(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.For, cst.With, cst.FunctionDef)) and node.asynchronous is not None


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


_BRACKETED = (cst.Tuple, cst.GeneratorExp)


class Tree:
    """The concrete tree of one frame. All spans taken and given are those of the file (1-based characters)."""

    def __init__(self, frame: Frame, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        self.frame = frame
        self._spans: dict[cst.CSTNode, Span] = {}
        self._at: dict[Span, list[cst.CSTNode]] = {}
        self._lines = frame.text.split("\n")
        for node, position in positions.items():
            self._spans[node] = span = self._file_span(position)
            self._at.setdefault(span, []).append(node)
        for node in positions:
            if isinstance(node, _BRACKETED) and node.lpar:
                self._at.setdefault(self.outer(node, innermost=True), []).append(node)
            elif isinstance(node, cst.Call):
                self._add_sole_generator(node)
            elif isinstance(node, cst.Param):
                self._add_parameter(node)

    def span(self, node: cst.CSTNode) -> Span:
        """Where ``node`` stands, without the parentheses around it."""
        return self._spans[node]

    def outer(self, node: cst.BaseExpression, *, innermost: bool = False) -> Span:
        """Where ``node`` stands with the parentheses around it (all of them, or only the innermost pair)."""
        if not node.lpar:
            return self._spans[node]
        index = -1 if innermost else 0
        opening = self._spans[node.lpar[index]]
        closing = self._spans[node.rpar[-1 - index]]
        # libcst counts the blanks within a parenthesis as part of it: its own character is the first, or the last.
        return Span(opening.line, opening.column, closing.end_line, closing.end_column)

    def find(self, kind: str, span: Span) -> cst.CSTNode | None:
        """The node of ``ast`` kind ``kind`` at exactly ``span``."""
        for node in self._at.get(span, ()):
            if is_kind(node, kind):
                return node
        for node in self._unfinished(span):
            if isinstance(node, COMPOUND) and is_kind(node, kind):
                return node
        return None

    def expression(self, span: Span) -> cst.BaseExpression | None:
        """The outermost expression at exactly ``span``."""
        found = [node for node in self._at.get(span, ()) if isinstance(node, cst.BaseExpression)]
        return found[0] if found else None

    def compound(self, span: Span) -> cst.CSTNode | None:
        """The statement with a block at exactly ``span``."""
        for node in (*self._at.get(span, ()), *self._unfinished(span)):
            if isinstance(node, COMPOUND):
                return node
        return None

    def small(self, span: Span) -> cst.BaseSmallStatement | None:
        """The simple statement at exactly ``span``."""
        for node in self._at.get(span, ()):
            if isinstance(node, cst.BaseSmallStatement):
                return node
        return None

    def nodes(self) -> Iterator[cst.CSTNode]:
        """Every node, children before parents."""
        return iter(self._spans)

    def _unfinished(self, span: Span) -> Iterator[cst.CSTNode]:
        """What begins where ``span`` does and ends before the semicolon with which it ends."""
        row = self.frame.to_frame(span.end_line) - 1
        text = self._lines[row] if 0 <= row < len(self._lines) else ""
        if len(text) < span.end_column - 1 or text[span.end_column - 2] != ";":
            return
        written = text[: span.end_column - 2].rstrip(" \t\f")
        yield from self._at.get(span._replace(end_column=len(written) + 1), ())

    def _file_span(self, position: CodeRange) -> Span:
        start, end = position.start, position.end
        to_file = self.frame.to_file
        return Span(to_file(start.line), start.column + 1, to_file(end.line), end.column + 1)

    def _add_sole_generator(self, call: cst.Call) -> None:
        """``f(x for x in y)``: ``ast`` gives the call's own parentheses to the generator."""
        if len(call.args) != 1 or not isinstance(call.args[0].value, cst.GeneratorExp) or call.args[0].value.lpar:
            return
        inside, end = self._spans[call.whitespace_before_args], self._spans[call]
        span = Span(inside.line, inside.column - 1, end.end_line, end.end_column)
        self._at.setdefault(span, []).append(call.args[0].value)

    def _add_parameter(self, parameter: cst.Param) -> None:
        """``*args: int = ()``: ``ast`` counts neither the stars nor the default."""
        start = self._spans[parameter.name]
        end = start if parameter.annotation is None else self._spans[parameter.annotation]
        self._at.setdefault(Span(*start[:2], *end[2:]), []).append(parameter)


def parse(frame: Frame) -> Tree:
    """The tree of ``frame``.

    Raises ``SiteTooComplex`` beyond the limits, ``SiteRefused`` when libcst cannot parse it or does not give it back exactly.
    """
    check_limits(frame.text)
    return run_deep(lambda: _parse(frame))


class _Unvisited(MetadataWrapper):
    """Walks the tree for visitors only: libcst does for none, too, which is a quarter of what a site costs."""

    def visit_batched(
        self, visitors: Iterable[cst.BatchableCSTVisitor], before_visit: Any = None, after_leave: Any = None
    ) -> cst.CSTNode:
        several = list(visitors)
        return super().visit_batched(several, before_visit, after_leave) if several else self.module


def _parse(frame: Frame) -> Tree:
    try:
        module = cst.parse_module(frame.text)
    except cst.ParserSyntaxError as error:
        raise SiteRefused(f"libcst cannot parse it: {error.message}") from None
    except UnicodeEncodeError:  # half a character, as the JSON of a notebook can spell it
        raise SiteRefused("not text that can be encoded") from None
    wrapper = _Unvisited(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    if module.code != frame.text:
        raise SiteRefused("libcst does not give the text back byte for byte")
    return Tree(frame, positions)
