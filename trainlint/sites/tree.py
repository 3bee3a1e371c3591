"""A parsed frame: libcst's nodes and where each stands in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from trainlint.finding import Span
from trainlint.sites.errors import SiteRefused
from trainlint.sites.frames import Frame
from trainlint.sites.kinds import COMPOUND, is_kind
from trainlint.sites.limits import check_limits
from trainlint.source.deep import run_deep

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


def _parse(frame: Frame) -> Tree:
    try:
        module = cst.parse_module(frame.text)
    except cst.ParserSyntaxError as error:
        raise SiteRefused(f"libcst cannot parse it: {error.message}") from None
    except UnicodeEncodeError:  # half a character, as the JSON of a notebook can spell it
        raise SiteRefused("not text that can be encoded") from None
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    if module.code != frame.text:
        raise SiteRefused("libcst does not give the text back byte for byte")
    return Tree(frame, positions)
