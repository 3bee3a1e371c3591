"""What a value is from rank to rank, and what each example rank runs of a function.

What a value is from rank to rank, in words.

The collective trace of a function as text: what each example rank runs from its entry to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trainlint.app.explaining.around import Places
from trainlint.app.explaining.text import OverRanks, Side, Step, Trace, first_few, shortened
from trainlint.app.report.style import WIDEST
from trainlint.domains.communication import Communication
from trainlint.ir.nodes import Term, Unknown
from trainlint.ir.operators import OPPOSITES, SIGNS
from trainlint.ir.printer import spelled
from trainlint.ir.sketch import Function
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue
from trainlint.spmd.build import Builder, TooLarge
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.paths import children
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, WORLD, Choice, Something, Uniform, Varying, World, data_in
from trainlint.spmd.trace import Again, End, Enter, Event, Invoke, Leave, Node, Nodes, Part, Pick, Repeat, Way
from trainlint.spmd.uniform_check import Agreement

_SOURCES = {
    "loss": "computed from each rank's own batch",
    "batch": "each rank gets its own batches",
    "clock": "each rank reads its own clock",
    "drawn": "each rank draws random numbers of its own",
    "process": "this differs in each process",
    "memory": "each rank reads its own memory usage",
    "progress": "the progress of each rank's own background work",
    "error": "an error of one rank",
    "file": "a file that another rank may be creating",
}

#: How long a condition may be that stands in a sentence.


def named(ranks: Sequence[int]) -> str:
    """Example ranks in words: ``rank 0``, ``ranks 1, 2, 3``, ``every rank``."""
    if len(ranks) == WORLD:
        return "every rank"
    return f"rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}"


def admitted(ranks: Sequence[bool], *, certain: bool) -> OverRanks:
    """Which example ranks a decorator lets in."""
    texts = tuple(map(str, ranks))
    who = named([rank for rank, runs in enumerate(ranks) if runs])
    return (
        OverRanks("rank-dependent", f"{who} in, the other ranks not", texts)
        if certain
        else OverRanks("rank-dependent", "some ranks")
    )


class Meanings:
    """Asks the evaluators of a program."""

    def __init__(self, program: Program, places: Places) -> None:
        self.program = program
        self.places = places
        self.peers = Evaluator(program, 0, lambda _: None).peers()

    def of(self, term: Term, frame: Context) -> OverRanks:
        """What a term is over the ranks, in an activation."""
        answers = [peer.evaluate(term, frame) for peer in self.peers]
        values = [value for value, _ in answers]
        if any(asked for _, asked in answers) and self.peers[0].differs(term, frame):
            if any(isinstance(value, Varying) for value in values):
                return OverRanks("rank-dependent", "differs from rank to rank in a way that cannot be computed")
            texts = tuple(_printed(value) for value in values)
            return OverRanks("rank-dependent", _grouped(texts), texts)
        own = self._own(term, frame)
        if own is not None:
            return own
        value = values[0]
        if isinstance(value, World):
            return OverRanks("uniform", "the number of ranks")
        if isinstance(value, Something):
            return OverRanks("unknown", "some object, not None")
        if isinstance(value, UNKNOWN):
            return OverRanks("unknown", "taken to be the same on every rank")
        text = _printed(value)
        return OverRanks("uniform", f"{text} on every rank", (text,) * WORLD)

    def own_condition(self, key: Any) -> bool:
        """Whether the key of a symbol leads to data that each rank has for itself."""
        if isinstance(key, Uniform):
            return self.own_condition(key.key)
        if not isinstance(key, tuple) or isinstance(key, Term):
            return False
        if len(key) == 2 and isinstance(key[0], Term) and isinstance(key[1], Context):  # noqa: PLR2004 - a term and where
            return self._own(*key) is not None
        return any(self.own_condition(part) for part in key)

    def _own(self, term: Term, frame: Context) -> OverRanks | None:
        """Whether a rank computed it from data of its own, which is proved or not said."""
        data = data_in(self.program.ask(Twins)._sample.value(term, frame))  # noqa: SLF001 - the evaluator that knows of data
        if data is None:
            return None
        source = data.source
        text = _SOURCES.get(getattr(source, "word", ""), "computed from data that each rank has for itself")
        spot = getattr(source, "spot", None)
        return OverRanks("per-rank data", text, (), self.places.at(source.module, spot) if spot is not None else None)


def symbol(value: Uniform, *, truth: bool = True) -> tuple[str, bool]:
    """The unknown condition behind a symbol, as well as it can be named, and whether the text says that it is ``truth``."""
    key = value.key
    if not truth and isinstance(key, tuple) and len(key) == 3 and key[0] in OPPOSITES:  # noqa: PLR2004 - a comparison
        key, truth = (OPPOSITES[key[0]], *key[1:]), True
    text = _key(key) or "something unknown"
    return shortened(text, WIDEST // 2), truth


def _key(key: Any) -> str:
    if isinstance(key, Term):
        return spelled(key) if not isinstance(key, Unknown) else f"something of line {key.line}"
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        if len(key) == 3 and key[0] == "attribute":  # noqa: PLR2004 - of what, which
            inner = _key(key[1].key) if isinstance(key[1], (Uniform, Something)) else ""
            return f"{inner}.{key[2]}" if inner else str(key[2])
        if len(key) == 3 and key[0] in SIGNS:  # noqa: PLR2004 - a comparison, each side with its type
            left, right = (_key(value.key) if isinstance(value, Uniform) else repr(value) for _, value in key[1:])
            return f"{left} {SIGNS[key[0]]} {right}" if left and right else ""
        for part in key:
            found = _key(part) if isinstance(part, (Term, tuple)) else ""
            if found:
                return found
    return ""


def _grouped(texts: tuple[str, ...]) -> str:
    by_text: dict[str, list[int]] = {}
    for rank, text in enumerate(texts):
        by_text.setdefault(text, []).append(rank)
    return "; ".join(f"{text} on {named(ranks)}" for text, ranks in by_text.items())


def _printed(value: Any) -> str:
    if isinstance(value, Choice):
        return f"{_printed(value.then)} if {symbol(value.condition)[0]}, else {_printed(value.other)}"
    if isinstance(value, Uniform):
        return "unknown"
    if isinstance(value, (Something, Varying)):
        return "an object" if isinstance(value, Something) else "unknown"
    return repr(int(value)) if isinstance(value, World) else repr(value)


_WAYS = {
    "return": "returns",
    "raise": "raises",
    "break": "leaves the loop",
    "continue": "continues with the next iteration",
    "exit": "exits the process",
}


class Traces:
    """Builds and prints traces."""

    def __init__(self, program: Program, places: Places, meanings: Meanings) -> None:
        self.program = program
        self.places = places
        self.analysis: Agreement = program.ask(Agreement)
        self.meanings = meanings
        self.apart = False
        self.own = False

    def of(self, module: str, function: Function) -> Trace:
        """What the ranks run in a function that is called with unknown arguments."""
        analysis = self.analysis
        saved = analysis.ranked, analysis.consulted, analysis.inlining, analysis.met
        analysis.inlining, analysis.met = False, {}  # as it is before a function is judged, and left as it was
        try:
            return self._of(module, function)
        finally:
            analysis.ranked, analysis.consulted, analysis.inlining, analysis.met = saved

    def _of(self, module: str, function: Function) -> Trace:
        given_up = self.analysis.given_up.get(id(function))
        if given_up is not None:
            return Trace(f"the analysis gave up on this function: {given_up.limit}")
        if not self.program.ask(Communication).runs(function):
            return Trace("no collective is reached from here, as far as is known")
        try:
            roots = self._roots(module, function)
        except (TooLarge, RecursionError) as error:
            return Trace(f"the analysis gave up on this function: {error}")
        plain = [self._lines(root, whole=False) for root in roots]
        groups: dict[tuple[object, ...], list[int]] = {}
        for rank, root in enumerate(roots):
            groups.setdefault((id(root.core), plain[rank]), []).append(rank)
        several = len(groups) > 1
        sides = tuple(Side(named(ranks), tuple(ranks), self._lines(roots[ranks[0]], whole=several)) for ranks in groups.values())
        return Trace(self._note(len({id(root.core) for root in roots}) > 1, sides), sides)

    def _note(self, differ: bool, sides: tuple[Side, ...]) -> str:
        if differ:
            return "the ranks do not run the same"
        if not any(side.steps for side in sides):
            return "no collective is run, with what is known of the arguments"
        note = "all ranks run the same"
        if len(sides) > 1:
            note += ", in different places"
        return note + (
            ", but for what is called" if self.apart else ", except for what depends on data of their own" if self.own else ""
        )

    def _roots(self, module: str, function: Function) -> list[Node]:
        """The trace of each example rank."""
        nodes = Nodes()
        frame = self.program.frame(module, function)
        return [Builder(self.analysis, rank, nodes).trace(function, frame) for rank in range(WORLD)]

    # -- text ------------------------------------------------------------------------------------------------------

    def _lines(self, root: Node, *, whole: bool) -> tuple[Step, ...]:
        """The steps of one side; marks are among them where there is another side to tell it from."""
        return first_few(self._walk(root, None, 0, whole=whole))

    def _walk(self, node: Node | None, stop: Node | None, depth: int, *, whole: bool) -> Iterator[Step]:
        while node is not None and node is not stop and not isinstance(node, (End, Again)):
            if isinstance(node, Event):
                at = self.places.at(node.where.module, node.where.spot)
                yield Step(f"{node.name.rpartition('.')[2]}", at, depth)
            elif isinstance(node, Invoke):
                yield from self._invoked(node, depth)
            elif isinstance(node, Part):
                if whole:
                    yield Step(_went(node), self.places.at(node.guard.module, node.guard.test), depth)
            elif isinstance(node, Way):
                if whole or node.kind in ("raise", "exit"):
                    yield Step(_WAYS.get(node.kind, node.kind), self.places.at(node.where.module, node.where.spot), depth)
            elif isinstance(node, Enter):
                at = self.places.at(node.where.module, node.where.spot)
                if whole or _says(node.next):
                    yield Step(f"calls `{node.target.function.name}`:", at, depth)
            elif isinstance(node, Pick):
                join = _join(node.then, node.other)
                yield from self._picked(node, join, depth, whole=whole)
                node = join
                continue
            elif isinstance(node, Repeat):
                line = node.loop[1].line
                body = list(self._walk(node.body, None, depth + 1, whole=whole))
                if body:
                    yield Step(f"in each iteration of the loop in line {line}:", None, depth)
                    yield from body
                node = node.next
                continue
            elif not isinstance(node, Leave):
                return
            node = node.next

    def _picked(self, node: Pick, join: Node | None, depth: int, *, whole: bool) -> Iterator[Step]:
        then = list(self._walk(node.then, join, depth + 1, whole=whole))
        other = list(self._walk(node.other, join, depth + 1, whole=whole))
        own = self.meanings.own_condition(node.symbol.key)
        self.own = self.own or own
        behind = "(each rank evaluates this for itself)" if own else "(unknown, the same on all ranks)"
        text, same = symbol(node.symbol, truth=bool(then))
        if then or other:
            yield Step(f"{'if' if same else 'unless'} {text} {behind}:", None, depth)
        yield from then
        if then and other:
            yield Step("otherwise:", None, depth)
        yield from other

    def _invoked(self, node: Invoke, depth: int) -> Iterator[Step]:
        function = node.target.function
        at = self.places.at(node.where.module, node.where.spot)
        ways = self.program.ask(Communication).chain(function)
        last = ways[-1] if ways else None
        apart = bool(self.analysis.verdict(node.target, node.frame).divergences)
        self.apart = self.apart or apart
        what = "in which the ranks diverge (ask there)" if apart else "in which all ranks run the same"
        yield Step(f"`{function.name}`, {what}", at, depth)
        if last is not None:
            there = self.places.at(last.site.module, last.site.call.term.site)
            name = last.target.function.name if isinstance(last.target, FunctionValue) else last.target.name.rpartition(".")[2]
            yield Step(f"it comes to {name}", there, depth + 1)


def _went(node: Part) -> str:
    """Which way a rank went at a test on the rank."""
    test = spelled(node.guard.condition)
    if node.guard.spot == node.guard.frame.function.spot:
        return f"the decorator `{test}` {'lets' if node.arm else 'does not let'} this rank in"
    way = f"is {'true' if node.arm else 'false'}"
    return f"`{test}` {way if node.certain else 'takes one branch, on other ranks the other'}"


def _says(node: Node | None) -> bool:
    """Whether anything is told of a call before it is over."""
    depth = 1
    while node is not None:
        if isinstance(node, (Event, Invoke, Pick, Repeat)):
            return True
        depth += isinstance(node, Enter) - isinstance(node, Leave)
        if not depth:
            return False
        node = node.next
    return False


def _join(then: Node, other: Node) -> Node | None:
    """Where two ways come together again: the first node of the one that the other comes to as well."""
    reached: set[int] = set()
    pending = [other]
    while pending:
        node = pending.pop()
        if id(node) not in reached:
            reached.add(id(node))
            pending.extend(children(node))
    queue, seen = [then], set[int]()
    while queue:
        node = queue.pop(0)
        if id(node) in reached:
            return node
        if id(node) not in seen:
            seen.add(id(node))
            queue.extend(children(node))
    return None
