"""Random statements about the rank, and random items that ranks share: small grammars, the same for the same number."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

Lines = list[str]


class Maker:
    """Writes statements behind which ``x`` is a test; what they read is the rank, the size of the world, and each other."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - it must be repeatable
        self.numbers = ["rank", "rank", "rank", "world"]
        self.lists: list[str] = []
        self.made = 0

    def pick(self, *options: Callable[[], str]) -> str:
        """One of several expressions."""
        return self.rng.choice(options)()

    def name(self, stem: str) -> str:
        """A name that is new."""
        self.made += 1
        return f"{stem}{self.made}"

    # -- expressions ---------------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> str:
        """A whole number."""
        if depth <= 0:
            return self.rng.choice([*self.numbers, "0", "1", "2", "3"])

        def inner() -> str:
            return self.number(depth - 1)

        few = self.rng.choice(["2", "3", "world"])
        return self.pick(
            lambda: self.rng.choice(self.numbers),
            lambda: f"({inner()} {self.rng.choice(['+', '-', '*'])} {inner()})",
            lambda: f"({inner()} {self.rng.choice(['//', '%'])} {few})",
            lambda: f"{self.rng.choice(['min', 'max'])}({inner()}, {inner()})",
            lambda: f"abs({inner()} - {few})",
            lambda: f"({inner()} if {self.test(depth - 1)} else {inner()})",
            lambda: f"len({self.items(depth - 1)})",
            lambda: f"sum({self.items(depth - 1)})",
            lambda: f"[{inner()}, {inner()}, {inner()}, {inner()}][rank]",
            lambda: f"{{0: {inner()}, 2: {inner()}}}.get({inner()}, {inner()})",
            lambda: f"int(str(rank)) + {inner()}",
            lambda: f"({inner()} or {inner()})",
            lambda: f"({inner()} and {inner()})",
            lambda: f"divmod({inner()}, {few})[{self.rng.choice('01')}]",
        )

    def items(self, depth: int) -> str:
        """A list of numbers."""
        if depth <= 0:
            return self.rng.choice([*self.lists, "[rank]", "[0, rank]", "range(rank)", "range(world)", "[]"])
        i = self.name("i")
        return self.pick(
            lambda: f"[{self.number(depth - 1)}, {self.number(depth - 1)}]",
            lambda: f"range(abs({self.number(depth - 1)}))",
            lambda: f"list({self.items(depth - 1)})[{self.rng.choice(['rank:', ':rank', '1:', ':-1', 'rank::2', '::2'])}]",
            lambda: f"[{i} + {self.number(depth - 1)} for {i} in {self.items(depth - 1)}]",
            lambda: (
                f"[{i} for {i} in {self.items(depth - 1)} if {i} {self.rng.choice(['!=', '<', '>='])} {self.number(depth - 1)}]"
            ),
            lambda: f"sorted({self.items(depth - 1)})",
            lambda: f"[*{self.items(depth - 1)}, {self.number(depth - 1)}]",
            lambda: f"(list({self.items(depth - 1)}) + [{self.number(depth - 1)}])",
        )

    def test(self, depth: int) -> str:
        """Something that is true or false."""
        compared = self.rng.choice(["==", "!=", "<", "<=", ">", ">="])

        def number() -> str:
            return self.number(depth - 1)

        if depth <= 0:
            return f"{self.rng.choice(self.numbers)} {compared} {self.rng.choice('0123')}"
        i = self.name("i")
        return self.pick(
            lambda: f"{number()} {compared} {number()}",
            lambda: f"{number()} {compared} {number()}",
            lambda: f"0 {self.rng.choice(['<', '<='])} {number()} {self.rng.choice(['<', '<='])} 2",
            lambda: f"{number()} {self.rng.choice(['in', 'not in'])} ({number()}, {number()})",
            lambda: f"{number()} {self.rng.choice(['in', 'not in'])} {self.items(depth - 1)}",
            lambda: f"not ({self.test(depth - 1)})",
            lambda: f"({self.test(depth - 1)} {self.rng.choice(['and', 'or'])} {self.test(depth - 1)})",
            lambda: f"{self.rng.choice(['any', 'all'])}({i} {compared} {number()} for {i} in {self.items(depth - 1)})",
            lambda: f"bool({number()})",
            lambda: f"str({number()}) {self.rng.choice(['==', '!='])} '{self.rng.choice('0123')}'",
            lambda: f"({number()}, {number()}) {compared} ({number()}, {number()})",
        )

    # -- statements ----------------------------------------------------------------------------------------------------------

    def block(self, size: int, depth: int) -> Lines:
        """Some statements."""
        return [line for _ in range(size) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        """One of several statements; what it makes can be named behind it."""
        simple = (self._assigned, self._assigned, self._filled, self._changed)
        compound = (self._chosen, self._counted, self._until, self._function, self._object, self._cleaned_up, self._mapped)
        return self.rng.choice(simple if depth <= 0 else simple + compound)()

    def _assigned(self) -> Lines:
        new, value = self.name("n"), self.number(2)
        if self.rng.random() < 0.3:
            other, second = self.name("n"), self.number(1)
            self.numbers += [new, other]
            return [f"{new}, {other} = {value}, {second}"]
        self.numbers.append(new)
        return [f"{new} = {value}"]

    def _filled(self) -> Lines:
        new = self.name("l")
        lines = [f"{new} = list({self.items(1)})"]
        self.lists.append(new)
        given = self.number(1)
        return [
            *lines,
            self.rng.choice(
                [f"{new}.append({given})", f"{new}.insert(0, {given})", f"{new} += [{given}]", f"{new}.extend([{given}])"]
            ),
        ]

    def _changed(self) -> Lines:
        mine = [each for each in self.numbers if each not in {"rank", "world"}]
        if not mine:
            return self._assigned()
        return [f"{self.rng.choice(mine)} {self.rng.choice(['+=', '-=', '*='])} {self.number(1)}"]

    def _set(self, name: str, depth: int = 0) -> Lines:
        """Statements that give a value to a name that others may read behind them."""
        known = len(self.numbers), len(self.lists)
        lines = [*(self.statement(depth - 1) if depth > 0 else []), f"{name} = {self.number(1)}"]
        self.numbers, self.lists = self.numbers[: known[0]], self.lists[: known[1]]
        return lines

    def _chosen(self) -> Lines:
        new = self.name("n")
        lines = [f"if {self.test(1)}:", *_indented(self._set(new, 1))]
        if self.rng.random() < 0.4:
            lines += [f"elif {self.test(1)}:", *_indented(self._set(new))]
        lines += ["else:", *_indented(self._set(new))]
        self.numbers.append(new)
        return lines

    def _counted(self) -> Lines:
        new, i = self.name("n"), self.name("i")
        over = self.rng.choice(["range(4)", "range(rank)", "range(rank, 5)", "(3, 1, 2)", "range(world)", self.items(1)])
        way = self.rng.choice(["break", "continue"])
        left = (
            [f"    if {i} {self.rng.choice(['==', '>', '!='])} {self.number(0)}:", f"        {way}"]
            if self.rng.random() < 0.5
            else []
        )
        behind = ["else:", f"    {new} += 1"] if way == "break" and left and self.rng.random() < 0.4 else []
        step = self.rng.choice([f"{new} += 1", f"{new} += {i}", f"{new} = {i}", f"{new} = max({new}, {i})"])
        first = f"{new} = {self.number(0)}"
        self.numbers.append(new)
        return [first, f"for {i} in {over}:", *left, f"    {step}", *behind]

    def _until(self) -> Lines:
        new = self.name("n")
        lines = [
            f"{new} = {self.number(0)}",
            f"while {new} < {self.rng.choice('345')}:",
            f"    {new} += {self.rng.choice(['1', '2', '(1 + rank)'])}",
        ]
        if self.rng.random() < 0.4:
            lines += [f"    if {new} == {self.number(0)}:", "        break"]
        self.numbers.append(new)
        return lines

    def _function(self) -> Lines:
        function, new = self.name("f"), self.name("n")
        kept, lists = self.numbers, self.lists
        self.numbers, self.lists = ["r", "r", "least", *kept], []
        body = [f"    if {self.test(1)}:", f"        return {self.number(1)}"] if self.rng.random() < 0.7 else []
        body += [f"    return {self.number(1)}"]
        self.numbers, self.lists = kept, lists
        default = self.rng.choice(["least=1", "least=2", "*, least=1"])
        given = self.rng.choice(["", ", least=0", ", least=rank"])
        lines = [f"def {function}(r, {default}):", *body, f"{new} = {function}({self.number(1)}{given})"]
        self.numbers.append(new)
        return lines

    def _object(self) -> Lines:
        kind, new = self.name("C"), self.name("n")
        kept, lists = self.numbers, self.lists
        self.numbers, self.lists = ["self.r", "self.r", "self.least"], []
        method = [f"    def asks(self, more={self.rng.choice('012')}):", f"        return {self.number(1)} + more"]
        self.numbers, self.lists = kept, lists
        start = [
            "    def __init__(self, r, least=1):",
            "        self.r = r",
            f"        self.least = least + {self.rng.choice('012')}",
        ]
        called = self.rng.choice(
            [f"{kind}({self.number(1)}).asks()", f"{kind}({self.number(1)}, least=rank).asks({self.number(0)})"]
        )
        self.numbers.append(new)
        return [f"class {kind}:", *start, *method, f"{new} = {called}"]

    def _cleaned_up(self) -> Lines:
        new = self.name("n")
        lines = ["try:", *_indented(self._set(new))]
        lines += (
            ["finally:", f"    {self.rng.choice([f'{new} += 1', f'{new} = {self.number(0)} - {new}'])}"]
            if self.rng.random() < 0.5
            else [
                "except ValueError:",
                f"    {new} = 0",
            ]
        )
        self.numbers.append(new)
        return lines

    def _mapped(self) -> Lines:
        d, new = self.name("d"), self.name("n")
        lines = [f"{d} = {{'a': {self.number(1)}, 'b': {self.number(0)}}}"]
        if self.rng.random() < 0.6:
            lines.append(f"{d}['{self.rng.choice('ab')}'] {self.rng.choice(['=', '+='])} {self.number(1)}")
        if self.rng.random() < 0.3:
            lines.append(f"{d}.update(a={self.number(0)})")
        lines.append(f"{new} = {d}['{self.rng.choice('ab')}'] + {d}.get('{self.rng.choice('ac')}', {self.rng.choice('01')})")
        self.numbers.append(new)
        return lines


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def statements(seed: int) -> str:
    """Statements behind which ``x`` says something of the rank."""
    maker = Maker(seed)
    lines = maker.block(maker.rng.randint(1, 3), 1)
    return textwrap.dedent("\n".join([*lines, f"x = {maker.test(2)}"]))


def shared(seed: int) -> str:
    """An expression for items that ranks take of lists ``a`` and ``b``."""
    rng = random.Random(seed)  # noqa: S311 - it must be repeatable

    def some(depth: int) -> str:
        if depth <= 0:
            return rng.choice(["a", "a", "b", "a[rank::world]", "range(len(a))", "list(range(10))"])
        inner = some(depth - 1)
        start = rng.choice(["rank", "1", "0", "rank + 1", "rank * 2"])
        stop = rng.choice(["len(a)", "len(a) - 1", "-1", "rank + 3", "len(a) // world", "world * 3", "-rank - 1"])
        step = rng.choice(["world", "2", "(rank + 1)", "(world - 1)"])
        return rng.choice(
            [
                f"list({inner})[{start}:]",
                f"list({inner})[:{stop}]",
                f"list({inner})[{start}:{stop}]",
                f"list({inner})[{start}::{step}]",
                f"list({inner})[{start}:{stop}:{step}]",
                f"(list({inner}) + list({some(0)}))",
                f"(list({inner}) * 2)",
                f"zip({inner}, {some(0)})",
                f"enumerate({inner})",
                f"sorted({inner})",
                f"reversed(list({inner}))",
                f"map(str, {inner})",
                f"[x for x in {inner}]",
                f"[x for i, x in enumerate({inner}) if i % world == rank]",
                f"[x for i, x in enumerate({inner}) if i % {step} == 0]",
                f"itertools.islice({inner}, {rng.choice(['rank', '5', '7'])}, None, {step})",
                f"itertools.islice({inner}, {rng.choice(['rank', '7'])})",
                f"itertools.chain({inner}, {some(0)})",
                f"itertools.chain([0] * rank, {inner})",
                f"range(len(list({inner})) // {rng.choice(['world', '2', '3'])})",
                f"range({start}, len(list({inner})), {step})",
                f"(list({inner}) if rank {rng.choice(['== 0', '> 1', '% 2'])} else list({some(0)}))",
            ]
        )

    return some(rng.choice([1, 2, 2, 3]))
