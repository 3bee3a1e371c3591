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


class Rich(Maker):
    """Also what is written less often: unpacking, generators, closures, inheritance, errors, ``while True``, ``match``."""

    def statement(self, depth: int) -> Lines:
        """As above, one in three as above."""
        if depth <= 0 or self.rng.random() < 0.3:
            return super().statement(depth)
        forms = (
            self._unpacked,
            self._starred,
            self._generated,
            self._nested,
            self._counting,
            self._inherited,
            self._property,
            self._raised,
            self._forever,
            self._never,
            self._matched,
            self._many_arms,
            self._walrus,
            self._many_given,
            self._told_apart,
            self._joined,
            self._in_two_loops,
            self._kept_by_name,
            self._decorated,
            self._recursive,
            self._entered,
            self._imported,
            self._removed,
            self._zipped,
            self._lambda,
            self._global,
        )
        return self.rng.choice(forms)()

    def _new(self) -> str:
        new = self.name("n")
        self.numbers.append(new)
        return new

    def _unpacked(self) -> Lines:
        one, two, three = self.number(1), self.number(1), self.number(0)
        a, b, c = self._new(), self._new(), self._new()
        return [
            self.rng.choice(
                [
                    f"{a}, ({b}, {c}) = {one}, ({two}, {three})",
                    f"({a}, {b}), {c} = [{one}, {two}], {three}",
                    f"[{a}, {b}, {c}] = {one}, {two}, {three}",
                ]
            )
        ]

    def _starred(self) -> Lines:
        values = ", ".join(self.number(1) for _ in range(self.rng.randint(2, 4)))
        rest = self.name("l")
        a, b = self._new(), self._new()
        self.lists.append(rest)
        return [
            self.rng.choice(
                [f"{a}, *{rest}, {b} = {values}", f"{a}, {b}, *{rest} = [{values}]", f"*{rest}, {a}, {b} = ({values})"]
            )
        ]

    def _generated(self) -> Lines:
        make, value = self.name("g"), self.number(1)
        test, over = self.test(1), self.rng.choice(["range(3)", "range(rank)", "(2, 0, 1)"])
        way = self.rng.choice(
            [f"sum({make}(rank))", f"len(list({make}(rank)))", f"max([0, *{make}(rank)])", f"next({make}(rank), 7)"]
        )
        return [
            f"def {make}(r):",
            f"    for i in {over}:",
            f"        if {test}:",
            f"            yield i + {value}",
            f"{self._new()} = {way}",
        ]

    def _nested(self) -> Lines:
        outer, value, given = self.name("f"), self.number(1), self.number(0)
        op = self.rng.choice(["+", "-", "*"])
        return [
            f"def {outer}(a):",
            f"    b = a {op} {value}",
            "    def inner(c=1):",
            f"        return b {op} c",
            "    return inner",
            f"{self._new()} = {outer}({given})({self.rng.choice(['', '2', 'rank', 'c=3'])})",
        ]

    def _counting(self) -> Lines:
        outer, start, value = self.name("f"), self.number(0), self.number(0)
        calls = ["    step()"] * self.rng.randint(1, 3)
        return [
            f"def {outer}(r):",
            f"    seen = {start}",
            "    def step():",
            "        nonlocal seen",
            f"        seen += {value}",
            *calls,
            "    return seen",
            f"{self._new()} = {outer}(rank)",
        ]

    def _inherited(self) -> Lines:
        base, kind, value, more, given = self.name("B"), self.name("C"), self.number(0), self.number(0), self.number(1)
        method = self.rng.choice(
            [
                [],
                ["    def asks(self):", "        return super().asks() + 1"],
                ["    def asks(self):", f"        return self.r - {more}"],
            ]
        )
        return [
            f"class {base}:",
            f"    least = {self.rng.choice('012')}",
            "    def __init__(self, r):",
            "        self.r = r",
            "    def asks(self):",
            f"        return self.r + self.least + {value}",
            f"class {kind}({base}):",
            f"    least = {self.rng.choice('012')}",
            *method,
            f"{self._new()} = {kind}({given}).asks()",
        ]

    def _property(self) -> Lines:
        kind, value, given = self.name("C"), self.number(0), self.number(1)
        return [
            f"class {kind}:",
            "    def __init__(self, r):",
            "        self._r = r",
            f"    @{self.rng.choice(['property', 'functools.cached_property'])}",
            "    def r(self):",
            f"        return self._r + {value}",
            f"box = {kind}({given})",
            *self.rng.choice([[], ["box._r = 1"], ["box._r += 1"]]),
            f"{self._new()} = box.r",
        ]

    def _raised(self) -> Lines:
        new, first, last, test = self.name("n"), self.number(0), self.number(0), self.test(1)
        kinds = self.rng.choice(
            [
                "except ValueError:",
                "except (KeyError, ValueError):",
                "except Exception:",
                "except:",
                "except ValueError as error:",
            ]
        )
        orelse = self.rng.choice([[], ["else:", f"    {new} += 1"]])
        final = self.rng.choice([[], ["finally:", f"    {new} += 2"]])
        self.numbers.append(new)
        raising = self.rng.choice(["raise ValueError", "raise ValueError('no')", "int('x')"])
        return [
            f"{new} = {first}",
            "try:",
            f"    if {test}:",
            f"        {raising}",
            f"    {new} += 1",
            kinds,
            f"    {new} = {last}",
            *orelse,
            *final,
        ]

    def _forever(self) -> Lines:
        new, most = self.name("n"), self.rng.choice(["2", "rank", "world", "rank + 2"])
        self.numbers.append(new)
        return [
            f"{new} = 0",
            f"while {self.rng.choice(['True', '1'])}:",
            f"    if {new} >= {most}:",
            "        break",
            f"    {new} += 1",
        ]

    def _never(self) -> Lines:
        value, other = self.number(0), self.number(0)
        new = self._new()
        head = self.rng.choice(["while False:", "while 0:", "if False:", "if None:", "for _ in ():"])
        return [f"{new} = {value}", head, f"    {new} = {other}", f"    {new} += 1"]

    def _matched(self) -> Lines:
        new, subject, values = self.name("n"), self.number(1), [self.number(0) for _ in range(4)]
        self.numbers.append(new)
        second = self.rng.choice(["1 | 2", "k if k > 1", "2", "-1"])
        return [
            f"match {subject}:",
            "    case 0:",
            f"        {new} = {values[0]}",
            f"    case {second}:",
            f"        {new} = {values[1]}",
            "    case _:",
            f"        {new} = {values[2]}",
            f"        {new} += {values[3]}",
        ]

    def _many_arms(self) -> Lines:
        new, tests, values = self.name("n"), [self.test(0) for _ in range(3)], [self.number(1) for _ in range(6)]
        self.numbers.append(new)
        lines = [f"if {tests[0]}:", f"    {new} = {values[0]}"]
        for test, value in zip(tests[1 : self.rng.randint(1, 3)], values[1:], strict=False):
            lines += [f"elif {test}:", f"    {new} = {value}", f"    {new} -= 1"]
        return [
            *lines,
            "else:",
            f"    {new} = {values[4]}",
            f"    if {new} > 1:",
            f"        {new} = {values[5]}",
            f"    {new} += 1",
        ]

    def _walrus(self) -> Lines:
        value, other = self.number(1), self.number(0)
        new, seen = self._new(), self.name("n")
        self.numbers.append(seen)
        return [f"{new} = {other}", f"if ({seen} := {value}) > {self.rng.choice('012')}:", f"    {new} = {seen} + 1"]

    def _many_given(self) -> Lines:
        function, one, two, three = self.name("f"), self.number(1), self.number(0), self.number(0)
        body = self.rng.choice(
            [
                "sum(several)",
                "len(several)",
                "several[0]",
                "first + len(several)",
                "first + named.get('least', 5)",
                "named['least'] - first",
            ]
        )
        call = self.rng.choice(
            [f"{one}, {two}, least={three}", f"{one}, *[{two}, {three}], least=1", f"{one}, {two}, **{{'least': {three}}}"]
        )
        return [f"def {function}(first, *several, **named):", f"    return {body}", f"{self._new()} = {function}({call})"]

    def _told_apart(self) -> Lines:
        value, other, test = self.number(1), self.number(1), self.test(1)
        text = self.rng.choice([("'main'", "'other'"), ("'a'", "''"), ("'x1'", "'x2'")])
        name, new = self.name("s"), self._new()
        asked = self.rng.choice(
            [f"{name} == {text[0]}", f"{name}", f"not {name}", f"{name} != {text[1]}", f"{name} in ({text[1]}, 'z')"]
        )
        return [f"{name} = {text[0]} if {test} else {text[1]}", f"{new} = {value} if {asked} else {other}"]

    def _joined(self) -> Lines:
        name, value, new = self.name("s"), self.number(1), self._new()
        way = self.rng.choice(
            [
                f"f'r{{{value}}}'",
                f"'r' + str({value})",
                f"'r%d' % ({value})",
                f"'r{{}}'.format({value})",
                f"''.join(['r', str({value})])",
            ]
        )
        test = self.rng.choice(
            [f"{name} == 'r1'", f"{name}.endswith('2')", f"{name}[1:] == '0'", f"{name} in ('r0', 'r3')", f"len({name}) > 2"]
        )
        return [f"{name} = {way}", f"{new} = 1 if {test} else 0"]

    def _in_two_loops(self) -> Lines:
        new, first, second = (
            self.name("n"),
            self.rng.choice(["range(3)", "range(rank)", "(1, 2)"]),
            self.rng.choice(["range(2)", "range(i)", "range(rank)", "(0, 3)"]),
        )
        left = self.rng.choice([["            break"], ["            continue"], [f"            {new} += 2"]])
        step = self.rng.choice([f"        {new} += 1", f"        {new} += i * j"])
        self.numbers.append(new)
        test = f"i {self.rng.choice(['==', '<', '>='])} j" if self.rng.random() < 0.6 else self.test(0)
        return [f"{new} = 0", f"for i in {first}:", f"    for j in {second}:", f"        if {test}:", *left, step]

    def _kept_by_name(self) -> Lines:
        d, one, two = self.name("d"), self.number(1), self.number(1)
        new = self._new()
        more = self.rng.choice(
            [[], [f"{d}.pop('a')"], [f"{d} = {{**{d}, 'a': 3}}"], [f"{d}.setdefault('c', 2)"], [f"del {d}['b']"]]
        )
        asked = self.rng.choice(
            [
                f"len({d})",
                f"{d}.get('a', 4)",
                f"sum({d}.values())",
                f"int('a' in {d})",
                f"sum(v for k, v in {d}.items() if k != 'b')",
                f"{d}.get('c') or 1",
            ]
        )
        return [f"{d} = dict(a={one}, b={two})", *more, f"{new} = {asked}"]

    def _decorated(self) -> Lines:
        deco, function, value, given = self.name("w"), self.name("f"), self.number(0), self.number(1)
        return [
            f"def {deco}(function):",
            "    @functools.wraps(function)",
            "    def wrapper(*args, **kwargs):",
            f"        return function(*args, **kwargs) + {value}",
            "    return wrapper",
            f"@{deco}",
            f"def {function}(r, more=1):",
            "    return r * more",
            f"{self._new()} = {function}({given}{self.rng.choice(['', ', 2', ', more=rank'])})",
        ]

    def _recursive(self) -> Lines:
        function = self.name("f")
        return [
            f"def {function}(left, done=0):",
            f"    if left <= {self.rng.choice('01')}:",
            "        return done",
            f"    return {function}(left - 1, done + {self.rng.choice(['1', '2', 'left'])})",
            f"{self._new()} = {function}({self.rng.choice(['rank', '3', 'rank + 1'])})",
        ]

    def _entered(self) -> Lines:
        kind, value, new = self.name("C"), self.number(1), self._new()
        return [
            f"class {kind}:",
            "    def __enter__(self):",
            f"        return {value}",
            "    def __exit__(self, *error):",
            "        return False",
            f"with {kind}() as {new}:",
            f"    {new} += {self.rng.choice('012')}",
        ]

    def _imported(self) -> Lines:
        new, value = self._new(), self.rng.choice(["rank / 2", "rank / 3", "(rank + 1) / 2"])
        how = self.rng.choice(
            [
                ("import math as m", "m.ceil"),
                ("from math import floor", "floor"),
                ("import math", "math.floor"),
                ("from math import ceil as up", "up"),
            ]
        )
        return [how[0], f"{new} = {how[1]}({value})"]

    def _removed(self) -> Lines:
        kept, given = self.name("l"), self.number(1)
        new = self._new()
        change = self.rng.choice(
            [
                f"{kept}.pop()",
                f"{kept}.pop(0)",
                f"{kept}.reverse()",
                f"{kept}.sort()",
                f"del {kept}[0]",
                f"{kept}[0] = 2",
                f"{kept}[-1] += 1",
                f"{kept} = {kept}[::-1]",
                f"{kept}.clear()",
            ]
        )
        asked = self.rng.choice(
            [f"len({kept})", f"sum({kept})", f"{kept}[0] if {kept} else 9", f"{kept}[-1] if {kept} else 9", f"{kept}.count(1)"]
        )
        return [f"{kept} = [rank, {given}, 1]", change, f"{new} = {asked}"]

    def _zipped(self) -> Lines:
        new, one, two = (
            self._new(),
            self.rng.choice(["[3, 1, 2]", "range(rank)", "[rank, 2]", "(0, 1, 2, 3)"]),
            self.rng.choice(["[0, 1]", "range(4)", "(rank, 1, 5)"]),
        )
        how = self.rng.choice(
            [
                f"sum(a * b for a, b in zip({one}, {two}))",
                f"sum(i * a for i, a in enumerate({one}))",
                f"len(list(zip({one}, {two})))",
                f"[a + b for a in {one} for b in {two} if a != b][-1:] == [3]",
                f"dict(zip({one}, {two})).get(rank, 7)",
                f"max([a for a, b in zip({one}, {two}) if b > 0], default=1)",
            ]
        )
        return [f"{new} = int({how})"]

    def _lambda(self) -> Lines:
        function, value, given = self.name("f"), self.number(1), self.number(0)
        new = self._new()
        how = self.rng.choice(
            [f"lambda r, more=2: r + more * {self.rng.choice('12')}", "lambda r: r if r > 1 else 0", "lambda *r: r[0] - 1"]
        )
        bound = self.rng.choice([f"{function}({value})", f"functools.partial({function}, {given})()"])
        return [f"{function} = {how}", f"{new} = {bound}"]

    def _global(self) -> Lines:
        function, shared, value = self.name("f"), self.name("N"), self.number(0)
        return [
            f"def {function}(box, by):",
            "    box['n'] = box['n'] + by",
            "    return box",
            f"{shared} = {{'n': {value}}}",
            f"{function}({shared}, {self.rng.choice(['1', 'rank', '2'])})",
            f"{self._new()} = {shared}['n']",
        ]


def rich_statements(seed: int) -> str:
    """As :func:`statements`, of all that Python has; ``x`` asks for what was made last, mostly."""
    maker = Rich(seed)
    lines = maker.block(maker.rng.randint(1, 2), 1)
    compared = maker.rng.choice(["==", "!=", "<", "<=", ">", ">="])
    last = f"{maker.numbers[-1]} {compared} {maker.rng.choice('0123')}"
    return "\n".join([*lines, f"x = {last if maker.rng.random() < 0.8 else maker.test(1)}"])
