"""Resuming: loops that begin where a checkpoint says, and such as train a finished epoch again.

Loops that begin where a checkpoint says: ``range(checkpoint["epoch"], epochs)``, or ``while self.step < steps`` where that number
was read from it.

Runs that train an epoch again which they had finished: its number was saved at its end, and is where they begin.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.checkpoints.reads import Origin, Origins
from trainlint.domains.checkpoints.saves import Contents, Save, Written
from trainlint.ir.bindings import carried_by
from trainlint.ir.control_dependence import conditions, positive, walk_tested
from trainlint.ir.nodes import And, Attr, Augmented, BinOp, Call, Compare, Const, Element, LoopPhi, Term
from trainlint.ir.operators import OPPOSITES
from trainlint.ir.order import before, belongs_to, loops_around
from trainlint.ir.sketch import Block, CallStep, Exit, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.contexts import calling_contexts
from trainlint.program.induction import gone_through, is_counting, is_range, round_number, shifted
from trainlint.program.loops import Loops, repeats
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, LibraryObject


class Resumption(NamedTuple):
    """A loop that trains, and begins with what was read under ``key`` from a file; and ``shifted``.

    ``counts``: it counts by itself, up to a limit, so that the number at the end of a round is that of the next.
    """

    module: str
    function: Function
    loop: Loop
    key: str
    origin: Origin
    load: LibraryObject
    shifted: int | None
    counts: bool


class Resumptions:
    """The resumptions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found = tuple(self._all()) if any(program.ask(CallGraph).sites.get(name) for name in _loads(program)) else ()

    def _all(self) -> Iterator[Resumption]:
        asked, training = self.program.ask(Loops), self.program.knowledge.training
        for path, function in list(self.program.functions()):
            for loop in of_kind(function, Loop) if asked.may_say(function, training) else ():
                if not asked.says(path, function, loop.body, training):
                    continue
                starts = [
                    each
                    for each in starts_at(self.program, loop, self.program.frame(path, function))
                    if not isinstance(each, Const)
                ]
                if starts and not tests_software(self.program, path, function):
                    yield from dict.fromkeys(found for start in starts for found in self._of(path, function, loop, start))

    def _of(self, path: str, function: Function, loop: Loop, start: Start) -> Iterator[Resumption]:
        asked = self.program.ask(Origins)
        for frame in calling_contexts(self.program, path, function):
            for origin in asked.of(start.term, frame):
                read = asked.read_key(origin.term, origin.frame)
                load = asked.loaded(read[0], origin.frame) if read is not None else None
                if read is not None and load is not None:
                    yield Resumption(path, function, loop, read[1], origin, load, origin.shifted, start.counts)

    def stands(self, save: Save, loop: Loop, function: Function) -> str:
        """Where a save stands in a loop: ``behind`` what trains in its round, ``within`` a loop over batches; or empty."""
        trained = False
        for frame, call in save.leading():
            node = next((each for each in calls_of(frame.function) if each.term is call), None)
            if node is None:
                return ""
            around = loops_around(frame.function, node)
            here = frame.function is function and loop in around
            inner = around[around.index(loop) + 1 :] if here else around
            if any(self._trains(frame, each.body) for each in inner):
                return "within"
            trained = trained or self._trains_above(frame, loop.body if here else frame.function.body, node)
            if here:
                return "behind" if trained else ""
        return ""

    def is_of_epochs(self, resumption: Resumption) -> bool:
        """Whether a round of the loop is an epoch: it trains in a loop of its own. A step that is made again harms nobody."""
        frame = self.program.frame(resumption.module, resumption.function)
        return repeats(self.program, resumption.loop.body, frame, self.program.knowledge.training)

    def _trains(self, frame: Context, block: Block) -> bool:
        return self.program.ask(Loops).says(frame.module, frame.function, block, self.program.knowledge.training)

    def _trains_above(self, frame: Context, block: Block, node: CallStep) -> bool:
        """Whether something in a block trains above a call."""
        return self._trains(
            frame, tuple(each for each in walk(block) if isinstance(each, CallStep) and before(frame.function, each, node))
        )


class Start(NamedTuple):
    """What a loop begins with; ``counts``: a number that it counts up by itself, not the first of a ``range``."""

    term: Term
    counts: bool


def starts_at(program: Program, loop: Loop, frame: Context) -> Iterator[Start]:
    """The first number of a loop over ``range(first, last)`` or ``count(first)``, whatever shows its progress or takes the items.

    Of a loop that goes on while numbers are below a limit, what these are before its first round; of one that takes batches until
    such a number says that it is enough, the number that it counts on itself.
    """
    for each in gone_through(program, loop, frame):
        if isinstance(each.term, Call) and is_counting(each.term) and len(each.term.args) > is_range(each.term):
            if each.frame is frame:
                yield Start(each.term.args[0], counts=False)
            return
    is_left = loop.kind == "while" or any(node.kind == "break" for node in of_kind(frame.function, Exit))
    for number in _limited(loop, frame.function) if is_left else ():
        counter, _ = shifted(number)
        if isinstance(counter, LoopPhi) and belongs_to(loop, counter):
            carried = carried_by(frame.function, counter)
            if carried is not None and (loop.kind == "while" or counter in parts_of(carried.back)):
                yield Start(carried.entry, counts=True)
        elif isinstance(counter, Attr) and loop.kind == "while":
            yield Start(counter, counts=True)


def _limited(loop: Loop, function: Function) -> Iterator[Term]:
    """The numbers that have to be below a limit for a loop to go on: by its condition, and by tests that leave it."""
    asked = loop.subject.operands if isinstance(loop.subject, And) else (loop.subject,)
    tests = [(test, True) for test in asked if loop.kind == "while"]
    for node, led in walk_tested(loop.body):
        if isinstance(node, Exit) and (
            node.kind == "return" or (node.kind == "break" and loops_around(function, node)[-1] is loop)
        ):
            tests += [(test, not holds) for test, holds in conditions(led)[-1:]]
    for whole, goes_on in tests:
        test, holds = positive(whole, holds=goes_on)
        compared = (test.op if holds else OPPOSITES.get(test.op)) if isinstance(test, Compare) else None
        if isinstance(test, Compare) and compared in ("Lt", "LtE", "NotEq"):
            yield test.left
        elif isinstance(test, Compare) and compared in ("Gt", "GtE"):
            yield test.right


def counts(program: Program, term: Term, frame: Context, loop: Loop) -> bool:
    """Whether a term is the number of the round that a loop is at."""
    if isinstance(term, Element) and (term.of is loop.subject or any(part is term.of for part in parts_of(loop.subject))):
        return True
    number = round_number(program, term, frame)
    return number is not None and number.loop is loop


def _loads(program: Program) -> set[str]:
    words = program.knowledge.tables["checkpoints"]
    return {name.rpartition(".")[2] for name, word in words.items() if word == "load"}


class Repeated(NamedTuple):
    """A resumption at the epoch that a save had finished, and that save."""

    resumption: Resumption
    save: Save
    contents: Contents


def repeated(program: Program) -> Iterator[Repeated]:
    """Each such resumption, once for a loop."""
    known = program.ask(Resumptions)
    if not known.found:
        return
    seen: set[int] = set()
    for each in known.found:
        alike = {other.shifted for other in known.found if other.loop is each.loop and other.key == each.key}
        if each.counts:
            alike.discard(None)  # what an attribute is in later rounds
        if id(each.loop) in seen or None in alike or alike != {each.shifted}:
            continue
        found = _saved_at_end(program, each)
        if found is not None and known.is_of_epochs(each):
            seen.add(id(each.loop))
            yield found


def _saved_at_end(program: Program, resumption: Resumption) -> Repeated | None:
    """A save of the loop's counter behind the training of a round, with which that round is made again.

    None where another save puts something else under the key, or saves the counter within a round: who goes on from that file has
    to begin the round again.
    """
    answer: Repeated | None = None
    for save in program.ask(Written).saves:
        if not program.together(save.site.module, resumption.module):
            continue
        for contents in program.ask(Written).contents(save):
            for bound in contents.items.get(resumption.key, ()):
                found = program.ask(Origins).of(bound.term, bound.frame)
                if resumption.counts:
                    if resumption.shifted != 0 or not _is_uncounted(program, resumption, save, bound):
                        return None
                    found = []
                elif not any(
                    counts(program, *each, resumption.loop)
                    for each in (bound, *((origin.term, origin.frame) for origin in found))
                ):
                    continue
                if any(origin.shifted is None or origin.shifted + (resumption.shifted or 0) != 0 for origin in found):
                    return None
                where = program.ask(Resumptions).stands(save, resumption.loop, resumption.function)
                if where == "within":
                    return None
                if where == "behind":
                    answer = answer or Repeated(resumption, save, contents)
    return answer


def _is_uncounted(program: Program, resumption: Resumption, save: Save, bound: Argument) -> bool:
    """Whether what is saved in a round is the number of that round: the counter, before the one place that counts it on."""
    loop, function = resumption.loop, resumption.function
    counters = [shifted(number)[0] for number in _limited(loop, function)]
    bound = reaching_definition(program, *bound)
    if not isinstance(bound.term, Attr):
        return bound.frame.function is function and bound.term in counters
    name = bound.term.name
    if not any(isinstance(each, Attr) and each.name == name and type(each.base) is type(bound.term.base) for each in counters):
        return False
    stores = [(where, store) for where, store in program.ask(Origins).stored(name) if isinstance(store.value, (Augmented, BinOp))]
    saved = next((call for frame, call in save.leading() if frame.function is function), None)
    node = next((each for each in calls_of(function) if each.term is saved), None)
    if len(stores) != 1 or stores[0][0] is not function or node is None:
        return False
    return loops_around(function, stores[0][1])[-1:] == (loop,) and before(function, node, stores[0][1])
