"""Programs of training code out of a grammar: whatever Python has, with the names of the frameworks in it.

A program parses on the Python that runs this (:func:`program` tries again otherwise) and need make no sense. ``chance``
is a ``random.Random``, of whatever sort: hypothesis and atheris bring their own.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from tests.fuzz.vocabulary import IMPORTS, NAMES, vocabulary

_One = TypeVar("_One")

_CONSTANTS = (
    "0",
    "1",
    "-1",
    "0.5",
    "1e9",
    "2j",
    "True",
    "False",
    "None",
    "...",
    "''",
    "'cuda'",
    "'cuda:0'",
    "'loss'",
    "b'x'",
    "'é\\n'",
    "10**9",
    "0x_ff",
    "'epoch_{}.pt'",
    "'%d.ckpt'",
    "'nccl'",
    "'mean'",
    "'sum'",
    "'RANK'",
    "'{'",
    "'\\ud800'",
    "1_000_000",
)
_OPERATORS = ("+", "-", "*", "/", "//", "%", "@", "**", "<<", "|", "&", "^")
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "is", "is not", "in", "not in")
_CONVERSIONS = ("", "!r", "!s", ":.3f", ":>{n}", "=")

_ALIASES = (
    ("torch.distributed.", "dist."),
    ("torch.nn.functional.", "F."),
    ("torch.nn.", "nn."),
    ("jax.numpy.", "jnp."),
    ("tensorflow.", "tf."),
    ("numpy.", "np."),
)


class Writer:
    """Writes programs; ``room`` is how many statements and expressions there may still be."""

    def __init__(self, chance: Random, room: int) -> None:
        self.chance = chance
        self.room = room
        self.names = [self.of(NAMES) for _ in range(6)]
        self.words = vocabulary()
        self.modules = ["torch", "dist", "nn", "F", "jax", "jnp", "tf", "np", "os"]

    # -- choices -------------------------------------------------------------------------------------------------------

    def of(self, things: Sequence[_One]) -> _One:
        return things[self.chance.randrange(len(things))]

    def often(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def some(self, make: Callable[[], str], most: int, least: int = 0) -> list[str]:
        return [make() for _ in range(self.chance.randrange(least, most + 1))]

    def name(self) -> str:
        return self.of(self.names) if self.often(85) else self.of(NAMES)

    def word(self) -> str:
        return self.of(self.words.words) if self.often(70) else self.name()

    def library(self) -> str:
        """Something of a framework, in full or by what it was imported as."""
        dotted = self.of(self.words.dotted)
        if self.often(50):
            return dotted
        for prefix, alias in _ALIASES:
            if dotted.startswith(prefix):
                return alias + dotted.removeprefix(prefix)
        return dotted

    # -- expressions ---------------------------------------------------------------------------------------------------

    def expression(self, depth: int = 0) -> str:
        self.room -= 1
        if self.room <= 0 or depth > 5 or self.often(15 * depth):
            return self.leaf()
        return self.of(_EXPRESSIONS)(self, depth + 1)

    def leaf(self) -> str:
        kind = self.chance.randrange(10)
        if kind < 4:
            return self.name()
        if kind < 6:
            return self.of(_CONSTANTS)
        if kind < 8:
            return f"{self.name()}.{self.word()}"
        return self.library()

    def call(self, depth: int) -> str:
        return f"{self.callee(depth)}({self.arguments(depth)})"

    def callee(self, depth: int) -> str:
        kind = self.chance.randrange(10)
        if kind < 5:
            return self.library()
        if kind < 8:
            return f"{self.name()}.{self.word()}"
        return self.name() if kind < 9 else f"({self.expression(depth)})"

    def arguments(self, depth: int) -> str:
        given = self.some(lambda: self.expression(depth), 3)
        if self.often(8):
            given.append(f"*{self.leaf()}")
        seen: set[str] = set()
        for _ in range(self.chance.randrange(3)):
            word = self.word()
            if word not in seen:
                seen.add(word)
                given.append(f"{word}={self.expression(depth)}")
        if self.often(6):
            given.append(f"**{self.leaf()}")
        return ", ".join(given)

    def comprehension(self, depth: int) -> str:
        loops = " ".join(self.some(lambda: self.comprehension_loop(depth), 2, 1))
        inside = self.expression(depth)
        opened, closed = self.of(("[]", "{}", "()"))
        if opened == "{" and self.often(50):
            inside = f"{self.expression(depth)}: {inside}"
        return f"{opened}{inside} {loops}{closed}"

    def comprehension_loop(self, depth: int) -> str:
        condition = f" if {self.expression(depth)}" if self.often(40) else ""
        return f"for {self.target()} in {self.expression(depth)}{condition}"

    def f_string_part(self) -> str:
        shown = self.leaf().translate({ord(char): None for char in "'\"\\"})
        return f"{{{shown}{self.of(_CONVERSIONS)}}}"

    def f_string(self, _depth: int) -> str:
        parts = self.some(self.f_string_part, 2)
        return "f'" + self.of(("", "step ", "{{", "é")).join(["", *parts, ""]) + "'"

    def function_value(self, depth: int) -> str:
        return f"(lambda {self.parameters(annotated=False)}: {self.expression(depth)})"

    def display(self, depth: int) -> str:
        inside = self.some(lambda: self.expression(depth), 4)
        kind = self.chance.randrange(4)
        if kind == 0:
            return "[" + ", ".join(inside) + "]"
        if kind == 1:
            return "(" + "".join(f"{one}, " for one in inside) + ")"
        if kind == 2:
            return (
                "{" + ", ".join([*(f"{self.leaf()}: {one}" for one in inside), *self.some(lambda: f"**{self.name()}", 1)]) + "}"
            )
        return "{" + ", ".join(inside or ["*()"]) + "}"

    def subscript(self, depth: int) -> str:
        index = self.of(
            (self.leaf(), f"{self.leaf()}:{self.leaf()}", "...", "::2", "-1", f"{self.leaf()}, :", f"*{self.name()}, 0")
        )
        return f"{self.of((self.name(), '(' + self.expression(depth) + ')'))}[{index}]"

    def chain(self, depth: int) -> str:
        links = "".join(self.some(lambda: f".{self.word()}" + (f"({self.arguments(depth)})" if self.often(60) else ""), 4, 1))
        return self.of((self.name(), self.library())) + links

    # -- statements ----------------------------------------------------------------------------------------------------

    def target(self) -> str:
        kind = self.chance.randrange(12)
        if kind < 6:
            return self.name()
        return self.of(
            (
                f"self.{self.word()}",
                f"{self.name()}.{self.word()}",
                f"{self.name()}, {self.name()}",
                f"({self.name()}, *{self.name()})",
                f"[{self.name()}, ({self.name()}, {self.name()})]",
                f"{self.name()}[{self.leaf()}]",
                f"{self.name()}[{self.leaf()}:], {self.name()}.{self.word()}",
            )
        )

    def statement(self, depth: int, inside: str) -> list[str]:
        self.room -= 1
        if self.room <= 0 or depth > 6 or self.often(45):
            lines = [self.of(_SIMPLE)(self, inside)]
        else:
            lines = self.of(_COMPOUND)(self, depth + 1, inside)
        if self.often(5):
            lines[0] += self.of(
                ("  # noqa", "  # trainlint: ignore[TL101]", "  # trainlint: ignore", "  # größe", "  # trainlint: uniform")
            )
        return lines

    def block(self, depth: int, inside: str, most: int = 4) -> list[str]:
        lines = [line for _ in range(self.chance.randrange(1, most + 1)) for line in self.statement(depth, inside)]
        return ["    " + line for line in lines]

    def parameters(self, *, annotated: bool = True) -> str:
        names = list(dict.fromkeys(self.some(self.name, 4)))
        given: list[str] = []
        with_default = False
        for name in names:
            with_default = with_default or self.often(25)
            note = f": {self.leaf()}" if annotated and self.often(20) else ""
            given.append(f"{name}{note}" + (f"={self.leaf()}" if with_default else ""))
        if given and self.often(8):
            given.insert(self.chance.randrange(1, len(given) + 1), "/")
        if self.often(12):
            given.append("*args_")
        elif self.often(5):
            given.append("*, only=1")
        if self.often(10):
            given.append("**kwargs_")
        return ", ".join(given)

    def decorators(self) -> list[str]:
        return (
            [f"@{self.of((self.library(), self.name(), self.call(4)))}" for _ in range(self.chance.randrange(3))]
            if self.often(30)
            else []
        )

    def function(self, depth: int, inside: str) -> list[str]:
        kind = self.of(("def", "def", "def", "async def"))
        types = f"[{self.of(('T', 'T: int', '*Ts', '**P', 'A, B'))}]" if sys.version_info >= (3, 12) and self.often(10) else ""
        first = "self" if inside == "class" and self.often(80) else ""
        parameters = ", ".join(filter(None, [first, self.parameters().replace("self", "self_")]))
        name = (
            self.of(("forward", "training_step", "__init__", "main", "train", "setup", "__call__", "worker"))
            if self.often(40)
            else self.name()
        )
        returns = f" -> {self.leaf()}" if self.often(10) else ""
        body = self.block(depth, "async" if kind != "def" else "function", 5)
        return [*self.decorators(), f"{kind} {name}{types}({parameters}){returns}:", *body]

    def class_(self, depth: int, _inside: str) -> list[str]:
        bases = ", ".join(
            self.some(lambda: self.of((self.library(), self.name())), 2) + (["metaclass=M"] if self.often(5) else [])
        )
        return [
            *self.decorators(),
            f"class {self.of(('Net', 'Trainer', 'Data', self.name()))}({bases}):",
            *self.block(depth, "class", 4),
        ]

    def branch(self, depth: int, inside: str) -> list[str]:
        lines = [f"if {self.test()}:", *self.block(depth, inside)]
        for _ in range(self.chance.randrange(3) if self.often(30) else 0):
            lines += [f"elif {self.test()}:", *self.block(depth, inside, 2)]
        return lines + (["else:", *self.block(depth, inside, 2)] if self.often(40) else [])

    def test(self) -> str:
        if self.often(40):
            return self.of(
                (
                    "rank == 0",
                    "dist.get_rank() == 0",
                    "not rank",
                    "i % n == 0",
                    "dist.is_initialized()",
                    "local_rank in (0, 1)",
                    "rank",
                )
            )
        return self.expression(1)

    def loop(self, depth: int, inside: str) -> list[str]:
        word = "async for" if inside == "async" and self.often(40) else "for"
        over = self.of(
            (
                f"range({self.leaf()})",
                f"enumerate({self.name()})",
                self.name(),
                self.expression(2),
                f"zip({self.name()}, {self.name()})",
            )
        )
        head = f"{word} {self.target()} in {over}:" if self.often(75) else f"while {self.test()}:"
        return [
            head,
            *self.block(depth, inside + "loop", 5),
            *(["else:", *self.block(depth, inside, 2)] if self.often(15) else []),
        ]

    def with_(self, depth: int, inside: str) -> list[str]:
        word = "async with" if inside.startswith("async") and self.often(40) else "with"
        items = ", ".join(self.some(lambda: self.expression(3) + (f" as {self.target()}" if self.often(50) else ""), 2, 1))
        return [f"{word} {items}:", *self.block(depth, inside)]

    def try_(self, depth: int, inside: str) -> list[str]:
        lines = ["try:", *self.block(depth, inside)]
        star = "*" if sys.version_info >= (3, 11) and self.often(5) else ""
        handlers = self.chance.randrange(3)
        for _ in range(handlers):
            lines += [
                f"except{star} {self.leaf()}" + (f" as {self.name()}:" if self.often(50) else ":"),
                *self.block(depth, inside, 2),
            ]
        if handlers and self.often(20):
            lines += ["else:", *self.block(depth, inside, 2)]
        return lines + (["finally:", *self.block(depth, inside, 2)] if not handlers or self.often(30) else [])

    def match_(self, depth: int, inside: str) -> list[str]:
        lines = [f"match {self.expression(3)}:"]
        for _ in range(self.chance.randrange(1, 4)):
            pattern = self.of(
                (
                    "0",
                    "'a' | 'b'",
                    "[x, *rest]",
                    "{'k': v, **more}",
                    "Point(x=0, y=yy)",
                    "(1, _) as pair",
                    "torch.Tensor()",
                    "None",
                )
            )
            guard = f" if {self.test()}" if self.often(30) else ""
            lines += ["    " + line for line in [f"case {pattern}{guard}:", *self.block(depth + 1, inside, 2)]]
        return lines


def _simple(make: Callable[[Writer], str]) -> Callable[[Writer, str], str]:
    return lambda writer, _inside: make(writer)


def _ending(writer: Writer, inside: str) -> str:
    """A statement that ends something, where it may stand."""
    ways = ["pass", f"raise {writer.leaf()}", f"assert {writer.test()}", "del " + writer.name()]
    if "loop" in inside:
        ways += ["break", "continue"]
    if inside.startswith(("function", "async")):
        ways += ["return", f"return {writer.expression(2)}", f"yield {writer.leaf()}", f"{writer.name()} = yield"]
        ways += [f"nonlocal_ = {writer.name()}", f"global {writer.of(('counter', 'STATE', 'cache'))}"]
    if inside.startswith("async"):
        ways += [f"await {writer.call(3)}"]
    return writer.of(ways)


_EXPRESSIONS: tuple[Callable[[Writer, int], str], ...] = (
    Writer.call,
    Writer.call,
    Writer.call,
    Writer.call,
    Writer.comprehension,
    Writer.f_string,
    Writer.function_value,
    Writer.display,
    Writer.subscript,
    Writer.chain,
    Writer.chain,
    lambda w, d: f"({w.expression(d)} {w.of(_OPERATORS)} {w.expression(d)})",
    lambda w, d: f"({w.expression(d)} {w.of(_COMPARISONS)} {w.expression(d)})",
    lambda w, d: f"({w.expression(d)} {w.of(('and', 'or'))} {w.expression(d)})",
    lambda w, d: f"({w.expression(d)} if {w.test()} else {w.expression(d)})",
    lambda w, d: f"({w.of(('not ', '-', '~'))}{w.expression(d)})",
    lambda w, d: f"({w.name()} := {w.expression(d)})",
)
_SIMPLE: tuple[Callable[[Writer, str], str], ...] = (
    _simple(lambda w: w.expression()),
    _simple(lambda w: w.call(1)),
    _simple(lambda w: w.call(1)),
    _simple(lambda w: w.chain(1)),
    _simple(lambda w: f"{w.target()} = {w.expression()}"),
    _simple(lambda w: f"{w.name()} = {w.call(1)}"),
    _simple(lambda w: f"{w.name()} = {w.call(1)}"),
    _simple(lambda w: f"self.{w.word()} = {w.call(1)}"),
    _simple(lambda w: f"{w.target()} = {w.target()} = {w.expression()}"),
    _simple(lambda w: f"{w.name()}{w.of(('', '.' + w.word(), '[0]'))} {w.of(_OPERATORS)}= {w.expression()}"),
    _simple(lambda w: f"{w.name()}: {w.leaf()} = {w.expression(2)}"),
    _simple(lambda w: f"{w.name()}.{w.word()}: {w.leaf()}"),
    _simple(lambda w: f"{w.name()} = {w.name()}; {w.call(2)}; pass"),
    _simple(lambda w: w.of(IMPORTS)),
    _simple(lambda w: f"import {w.of(w.words.dotted).rpartition('.')[0]} as {w.name()}"),
    _simple(lambda w: "from {0} import {2}".format(*w.of(w.words.dotted).rpartition("."))),
    _ending,
)
_COMPOUND: tuple[Callable[[Writer, int, str], list[str]], ...] = (
    Writer.function,
    Writer.function,
    Writer.class_,
    Writer.branch,
    Writer.branch,
    Writer.loop,
    Writer.loop,
    Writer.with_,
    Writer.try_,
    Writer.match_,
)


def program(chance: Random, room: int = 120) -> str:
    """A program of about so many statements and expressions, which parses."""
    for _ in range(5):
        writer = Writer(chance, room)
        lines = [writer.of(IMPORTS) for _ in range(writer.chance.randrange(2, 7))]
        if "from __future__ import annotations" in lines:
            lines.remove("from __future__ import annotations")
        while writer.room > 0:
            lines += writer.statement(0, "module")
        text = "\n".join(line for line in lines if line.strip() != "from __future__ import annotations") + "\n"
        if writer.often(10):
            text = text.replace("    ", "\t")
        if writer.often(10):
            text = text.replace("\n", writer.of(("\r\n", "\r")))
        if _parses(text):
            return text
    return "import torch\n"


def _parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True
