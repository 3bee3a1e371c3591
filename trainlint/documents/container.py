"""A Dockerfile: the images it is made from, the variables it sets, the commands it runs while it is built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_containerfile

from trainlint.documents.expansion import LONGEST
from trainlint.documents.json_tree import read_json, spot_of
from trainlint.documents.shell import Script, read_shell
from trainlint.documents.tree import Scalar, Sequence
from trainlint.finding import Spot

#: A longer value is not known: one that is put into itself doubles each time.


@dataclass(frozen=True)
class Image:
    """``FROM name:tag@digest AS alias``; variables that the file itself sets are filled in, a name with others is empty."""

    name: str
    tag: str
    digest: str
    alias: str
    spot: Spot


@dataclass(frozen=True)
class Variable:
    """``ENV NAME=value``, or ``ARG`` with its default (``is_argument``). ``value`` is None when it hangs on other variables."""

    name: str
    value: str | None
    spot: Spot
    is_argument: bool = False


@dataclass
class Container:
    """What a Dockerfile does, in the order of its lines; ``runs`` are the scripts of ``RUN``."""

    images: list[Image] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    runs: list[Script] = field(default_factory=list)


def read_container(data: bytes) -> Container | None:
    """What the bytes of a Dockerfile say; None when they are none."""
    root = _parser().parse(data).root_node
    if not any(child.type == "from_instruction" for child in root.named_children):
        return None
    reading = _Reading(data)
    for node in root.named_children:
        reading.instruction(node)
    return reading.container


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_containerfile.language()))


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.container = Container()
        self._data = data
        self._values: dict[str, str | None] = {}

    def instruction(self, node: tree_sitter.Node) -> None:
        if node.type == "from_instruction":
            self._from(node)
        elif node.type in ("env_instruction", "arg_instruction"):
            for pair in node.named_children:
                self._variable(pair, is_argument=node.type == "arg_instruction")
        elif node.type == "run_instruction":
            self.container.runs.extend(self._run(node))

    def _from(self, node: tree_sitter.Node) -> None:
        spec = next((child for child in node.named_children if child.type == "image_spec"), None)
        if spec is None:
            return
        parts = {child.type: self._filled(child) for child in spec.named_children}
        alias = next((_text(child) for child in node.named_children if child.type == "image_alias"), "")
        name, tag = parts.get("image_name") or "", parts.get("image_tag", "")
        if "image_name" in parts and tag == "" and ":" in name.rpartition("/")[2]:  # a variable held both
            name, _, tag = name.rpartition(":")
        digest = (parts.get("image_digest") or "").lstrip("@")
        tag = "" if tag is None else tag.lstrip(":")
        known = parts.get("image_tag", "") is not None
        self.container.images.append(Image(name if known else "", tag, digest, alias, spot_of(spec)))

    def _variable(self, pair: tree_sitter.Node, *, is_argument: bool) -> None:
        inside = pair.named_children or [pair]
        name = _text(inside[0])
        value = self._filled(inside[1]) if len(inside) > 1 else None
        self._values[name] = value
        self.container.variables.append(Variable(name, value, spot_of(pair), is_argument))

    def _filled(self, node: tree_sitter.Node) -> str | None:
        """The text of a node with its variables filled in; None when one is not known."""
        text, at, whole = "", 0, node.text or b""
        for child in _expansions(node):
            name = next((_text(part) for part in child.named_children if part.type == "variable"), "")
            value = self._values.get(name)
            if value is None:
                return None
            start = child.start_byte - node.start_byte
            text += whole[at:start].decode("utf-8", "replace") + value
            if len(text) > LONGEST:
                return None
            at = start + (child.end_byte - child.start_byte)
        return (text + whole[at:].decode("utf-8", "replace")).strip("\"'")

    def _run(self, node: tree_sitter.Node) -> Iterator[Script]:
        for child in node.named_children:
            if child.type == "shell_command":
                comments = [part for part in child.named_children if part.type == "comment"]
                yield from self._script(child.start_byte, child.end_byte, comments)
            elif child.type == "heredoc_block":
                body = next((part for part in child.named_children if part.type == "heredoc_content"), None)
                if body is not None:
                    yield from self._script(child.start_byte, body.end_byte, [])
            elif child.type == "json_string_array":
                words = read_json(child.text or b"")
                if isinstance(words, Sequence):
                    texts = [str(word.value) for word in words.values if isinstance(word, Scalar)]
                    line = " ".join("'" + text.replace("'", "'\\''") + "'" for text in texts)
                    yield from _read(self._before(child.start_byte) + line.encode())

    def _script(self, start: int, end: int, comments: list[tree_sitter.Node]) -> Iterator[Script]:
        text = bytearray(self._data[start:end])
        for comment in comments:
            # To Docker a line of comment between continued lines is not there, to a shell it would end the command.
            first, last = comment.start_byte - start, min(comment.end_byte - start, len(text))
            while last > first and bytes(text[last - 1 : last]) in (b"\n", b"\r"):
                last -= 1
            text[first:last] = b" " * (last - first - 1) + b"\\"
        yield from _read(self._before(start) + bytes(text))

    def _before(self, start: int) -> bytes:
        """Blanks of the shape of what stands before, so that places stay what they are."""
        before = self._data[:start]
        line = before.rfind(b"\n") + 1
        return b"\n" * before.count(b"\n") + b" " * (start - line)


def _read(data: bytes) -> Iterator[Script]:
    script = read_shell(data)
    if script is not None:
        yield script


def _expansions(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type == "expansion":
            yield here
        else:
            waiting.extend(reversed(here.named_children))


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
