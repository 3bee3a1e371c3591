"""What the words of a shell script stand for, as far as the script says: variables, arrays, sums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import tree_sitter

from trainlint.documents.json_tree import spot_of
from trainlint.finding import Spot

#: Longer texts, and arrays of more words, are not known: what is laid out in itself doubles. Longer numbers count nothing.
LONGEST, MOST_DIGITS = 20_000, 9
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
#: `a{b,c}` is two words, `{1..8}` is eight. (`${A}` is neither.)
_BRACES = re.compile(r"(?<!\$)\{[^{}'\"]*(?:,|\.\.)[^{}'\"]*\}")
_BLANKS = re.compile(r"(\s+)")
_IN_QUOTES = re.compile(r'\\([$`"\\\n])')


class Word(NamedTuple):
    """A word of a command.

    ``text`` is what it stands for, None when that is not known; ``start`` is what is known of its beginning (``--lr=`` of
    ``--lr=$LR``). ``written`` is the source. ``many``: it is of any number of words (``$ARGS`` that somebody else sets).
    """

    text: str | None
    written: str
    spot: Spot
    start: str = ""
    many: bool = False


class _Piece(NamedTuple):
    """A piece of a text as it is ``written``; ``text`` is None where what it stands for is not known."""

    text: str | None
    written: str


class Expansion:
    """The variables of a script at one point of it."""

    def __init__(self) -> None:
        self._texts: dict[str, str | None] = {}
        self._arrays: dict[str, list[Word] | None] = {}
        #: The variables of which a part is known.
        self._pieces: dict[str, list[_Piece]] = {}

    def value(self, name: str) -> str | None:
        """What a variable holds; None when that is not known."""
        return self._texts.get(name)

    def forget(self, name: str) -> None:
        """Somebody sets a variable to something that is not seen."""
        self._texts[name] = None
        self._arrays[name] = None
        self._pieces.pop(name, None)

    def forget_all(self) -> None:
        """Somebody may set any variable."""
        self._texts.clear()
        self._arrays.clear()
        self._pieces.clear()

    def set(self, name: str, value: tree_sitter.Node | None, spot: Spot, *, conditional: bool, adds: bool) -> Word:
        """A line sets a variable, or ``adds`` to it; what a ``conditional`` line leaves behind is not known."""
        if value is not None and value.type == "array":
            laid_out = (word for child in value.named_children if child.type != "comment" for word in self.words(child))
            elements = list(islice(laid_out, LONGEST))
            before = self._arrays.get(name) if adds else []
            known = before is not None and not conditional and len(before) + len(elements) < LONGEST
            self._arrays[name] = [*before, *elements] if before is not None and known else None
            self._texts[name] = None
            return Word(None, _source(value), spot, many=True)
        word = self.word(value, spot)
        before_it = self._texts.get(name) if adds else ""
        joined = None if word.text is None or before_it is None else (before_it + word.text)[:LONGEST]
        earlier = list(self._known(name, name)) if adds else []
        pieces = [*earlier, *(() if value is None else self._parts(value))]
        self._texts[name] = None if conditional else joined
        self._arrays.pop(name, None)
        self._pieces.pop(name, None)
        partly = joined is None and any((piece.text or "").strip() for piece in pieces)
        if partly and not conditional and sum(len(piece.text or "") for piece in pieces) <= LONGEST >= len(pieces):
            self._pieces[name] = pieces
        return word._replace(text=joined)

    def word(self, node: tree_sitter.Node | None, spot: Spot) -> Word:
        """The one word of an assignment's right side, which is not split."""
        if node is None:
            return Word("", "", spot)
        start, text = self._text(node)
        return Word(text, _source(node), spot_of(node), start)

    def words(self, node: tree_sitter.Node) -> Iterator[Word]:
        """The words that one word of the source becomes: variables without quotes are split, arrays are laid out."""
        written, spot = _source(node), spot_of(node)
        name = _whole_variable(node)
        if name is not None:
            array = self._arrays.get(name)
            if _is_array(node):
                yield from [Word(None, written, spot, many=True)] if array is None else array
                return
            if node.type != "string":
                yield from _split(self._known(name, written), spot)
                return
        if node.type in ("word", "concatenation", "brace_expression") and _BRACES.search(written):
            yield Word(None, written, spot, many=True)
            return
        start, known = self._text(node)
        yield Word(known, written, spot, start, many=node.type == "command_substitution" or "$@" in written)

    def _text(self, node: tree_sitter.Node) -> tuple[str, str | None]:
        """What is known of the beginning of a word, and all of it, if that is known."""
        start = ""
        for part in self._parts(node):
            if part.text is None:
                return start, None
            start += part.text
            if len(start) > LONGEST:
                return start[:LONGEST], None
        return start, start

    def _known(self, name: str, written: str) -> Iterator[_Piece]:
        """What is known of a variable."""
        text = self._texts.get(name)
        if text is None:
            yield from self._pieces.get(name) or [_Piece(None, written)]
        else:
            yield _Piece(text, written)

    def _parts(self, node: tree_sitter.Node) -> Iterator[_Piece]:
        kind, written = node.type, _source(node)
        if kind in ("word", "number", "variable_name", "test_operator"):
            # A word that the parser splits (`{a,b}`, globs) has children that are not named.
            yield _Piece(None if any(child.is_named for child in node.children) else _ESCAPED.sub(_unescaped, written), written)
        elif kind == "raw_string":
            yield _Piece(written[1:-1], written)
        elif kind == "string":
            for child in node.children[1:-1]:
                inside = _source(child)
                if child.type == "string_content":
                    yield _Piece(_IN_QUOTES.sub(_unescaped, inside), inside)
                    continue
                # Blanks between two variables belong to the second one.
                yield _Piece(inside[: len(inside) - len(inside.lstrip())], "")
                yield from self._parts(child)
        elif kind == "concatenation":
            for child in node.children:
                yield from self._parts(child)
        elif kind in ("simple_expansion", "expansion"):
            name = _variable(node)
            yield from [_Piece(None, written)] if name is None else self._known(name, written)
        elif kind == "arithmetic_expansion":
            number = self._number(node.named_children[0]) if len(node.named_children) == 1 else None
            yield _Piece(None if number is None else str(number), written)
        else:
            yield _Piece(None, written)

    def _number(self, node: tree_sitter.Node, depth: int = 20) -> int | None:
        if node.type in ("number", "word"):
            return _integer(_source(node))
        if node.type in ("variable_name", "simple_expansion", "expansion"):
            name = _source(node) if node.type == "variable_name" else _variable(node)
            return None if name is None else _integer(self._texts.get(name) or "")
        if node.type == "parenthesized_expression" and len(node.named_children) == 1 and depth:
            return self._number(node.named_children[0], depth - 1)
        if node.type == "binary_expression" and depth:
            first, operator, second = node.children[0], node.children[1], node.children[-1]
            left, right = self._number(first, depth - 1), self._number(second, depth - 1)
            return None if left is None or right is None else _computed(_source(operator), left, right)
        return None


def _split(pieces: Iterable[_Piece], spot: Spot) -> Iterator[Word]:
    """The words that a text without quotes becomes; one that has a part which is not known may be any number of them."""
    start, written, known, begun = "", "", True, False
    for piece in pieces:
        if piece.text is None:
            written, known, begun = written + piece.written, False, True
            continue
        parts = _BLANKS.split(piece.text)
        for part in parts:
            if part.isspace():
                if begun:
                    yield Word(start if known else None, written, spot, start, many=not known)
                start, written, known, begun = "", "", True, False
            elif part:
                start, begun = start + (part if known else ""), True
                written += piece.written if len(parts) == 1 else part
    if begun:
        yield Word(start if known else None, written, spot, start, many=not known)


def _computed(operator: str, left: int, right: int) -> int | None:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator in ("/", "%") and left >= 0 and right > 0:
        return left // right if operator == "/" else left % right
    return None


def _integer(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def _whole_variable(node: tree_sitter.Node) -> str | None:
    """The variable that a word is, in quotes or not."""
    if node.type == "string" and [child.is_named for child in node.children] == [False, True, False]:
        node = node.named_children[0]
    return _variable(node) if node.type in ("simple_expansion", "expansion") else None


def _variable(node: tree_sitter.Node) -> str | None:
    """``$NAME``, ``${NAME}`` or ``${NAME[@]}``; anything that does something to the value is no variable."""
    inside = [child for child in node.children if child.type not in ("$", "${", "}")]
    if len(inside) != 1:
        return None
    if inside[0].type == "subscript":
        name = inside[0].child_by_field_name("name")
        return None if name is None else _source(name)
    return _source(inside[0]) if inside[0].type == "variable_name" else None


def _is_array(node: tree_sitter.Node) -> bool:
    """Whether all elements of an array are meant, each a word: ``${NAME[@]}``."""
    return _source(node).strip('"').endswith(("[@]}", "[*]}"))


def _source(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
