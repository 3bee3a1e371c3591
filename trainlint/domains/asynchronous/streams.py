"""CUDA streams and graphs: work in a stream beside the current one, captures, and what must be ordered or warmed up.

Where a program computes in a stream beside the current one.

Blocks that are captured as CUDA graphs: what makes the host wait in them, and which of them nobody has warmed up.

While a stream captures, nothing runs: a value cannot be fetched, and what waits for the device is an error
(``cudaErrorStreamCaptureUnsupported``; PyTorch 2.13, "CUDA semantics", on CUDA graphs).

Captures of what has never run: the first run of a model makes things (handles, workspaces, gradients) that none may
hold.

Tensors that one stream makes and another uses, with nothing that keeps them apart: a race, or memory that is given
away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.dynamo.tensors import TracedTensors
from trainlint.domains.traced.functions import Surely, model_runs
from trainlint.edits.changes import Change, InsertBefore
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import bindings
from trainlint.ir.control_dependence import Led
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Global, LoopPhi, Param, Ref, Subscript, Term
from trainlint.ir.order import after, is_step, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.inlining import Inlined, all_inlined, itself, sites_of
from trainlint.program.leading import Leading
from trainlint.program.naming import reference
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import in_tests, tests_software
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject


class Contexts:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words = program.knowledge.tables["cuda_streams"]
        self._beside: dict[int, list[With]] = {}

    def word(self, callee: Term, frame: Context) -> str | None:
        """What the tables say of something that is called."""
        values = self.program.values(callee, frame)
        return next((self.words[each.name] for each in values if isinstance(each, Library) and each.name in self.words), None)

    def beside(self, whole: Inlined) -> list[With]:
        """The blocks of a function that run, or may run, in a stream that the program has made."""
        function = whole.function
        known = self._beside.get(id(function))
        if known is None:
            known = [node for node in of_kind(function, With) if any(self._enters(item, whole.frame) for item in node.items)]
            self._beside[id(function)] = known
        return known

    def _enters(self, item: Term, frame: Context) -> bool:
        for value in self.program.values(item, frame):
            if isinstance(value, LibraryObject) and self.words.get(value.name) == "enters" and value.call is not None:
                given = value.call.args[0] if value.call.args else None
                if given is not None and value.frame is not None and not self._is_current(given, value.frame):
                    return True
        return False

    def _is_current(self, stream: Term, frame: Context) -> bool:
        """Whether a stream is the one that everything runs in anyway."""
        values = self.program.values(stream, frame)
        return any(isinstance(value, LibraryObject) and self.words.get(value.name) == "current" for value in values)

    def made(self, stream: Term, frame: Context) -> bool:
        """Whether a stream surely is one that the program has made."""
        values = self.program.values(stream, frame)
        return bool(values) and all(
            isinstance(value, LibraryObject) and self.words.get(value.name) == "makes" for value in values
        )

    def around(self, function: Function) -> tuple[CallSite, With] | None:
        """A call that leads to a function from inside such a block, and the block."""
        for site in (site for lead in self.program.ask(Leading).to(function).values() for site in lead.sites):
            for block in self.beside(itself(self.program, site.module, site.function)):
                if within(site.function, block, site.call.term) and not _is_item(block, site.call.term):
                    return site, block
        return None


def _is_item(block: With, call: Call) -> bool:
    return any(item is call for item in block.items)


def sites(program: Program, name: str) -> Iterator[CallSite]:
    """The calls of a method, by its name."""
    yield from program.ask(CallGraph).sites.get(name, ())


_PRINTS = "builtins.print"
_TO_NUMBERS = ("builtins.float", "builtins.int")


class Capture(NamedTuple):
    """A block that is captured, in a function."""

    module: str
    function: Function
    block: With


class Waits(NamedTuple):
    """A call in a capture, or in what that runs, at which the host waits; ``way`` are the calls that lead there."""

    module: str
    call: CallStep
    what: str
    capture: Capture
    way: tuple[CallSite, ...]


def captures(program: Program) -> Iterator[Capture]:
    """Each block under ``with torch.cuda.graph(graph):``."""
    asked = program.ask(Contexts)
    if not any(
        program.ask(CallGraph).sites.get(name.rpartition(".")[2]) for name, word in asked.words.items() if word == "captures"
    ):
        return
    for module, function in program.functions():
        for block in of_kind(function, With):
            frame = program.frame(module, function)
            if not any(_captures(program, item, frame) for item in block.items):
                continue
            if not in_tests(module) and not tests_software(program, module, function):
                yield Capture(module, function, block)


def _captures(program: Program, item: Term, frame: Context) -> bool:
    words = program.ask(Contexts).words
    values = program.values(item, frame)
    return any(isinstance(value, LibraryObject) and words.get(value.name) == "captures" for value in values)


# -- what waits ----------------------------------------------------------------------------------------------------------


class _Waiting:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.tensors: TracedTensors = program.ask(TracedTensors)
        self.surely = Surely(program)
        self.words = program.ask(Contexts).words
        self.tables = program.knowledge.tables

    def all(self) -> Iterator[Waits]:
        seen: set[Spot] = set()
        for capture in captures(self.program):
            frame = self.program.frame(capture.module, capture.function)
            inside = {id(node) for node in walk(capture.block.body)}
            led = [(node, tests) for node, tests in self.surely.statements(capture.function) if id(node) in inside]
            outer = next(tests for node, tests in self.surely.statements(capture.function) if node is capture.block)
            here = [(node, tests[len(outer) :]) for node, tests in led if isinstance(node, CallStep)]
            for found in self._in(here, frame, capture, ()):
                if found.call.term.site not in seen:
                    seen.add(found.call.term.site)
                    yield found

    def _in(
        self, nodes: list[tuple[CallStep, Led]], frame: Context, capture: Capture, way: tuple[CallSite, ...]
    ) -> Iterator[Waits]:
        for node, led in nodes:
            if not self.surely.runs(led, frame):
                continue
            what = self._waits(node.term, frame, direct=not way)
            if what is not None:
                yield Waits(frame.module, node, what, capture, way)
                continue
            site = CallSite(frame.module, frame.function, node)
            targets = self.program.ask(CallGraph).targets(node.term, frame) or model_runs(self.program, node.term, frame)
            for target in targets:
                if isinstance(target, FunctionValue) and frame.follows(target.function) and not target.function.decorators:
                    inner = self.program.enter(target, node.term, frame)
                    statements = self.surely.statements(target.function)
                    inside = [(each, tests) for each, tests in statements if isinstance(each, CallStep)]
                    yield from self._in(inside, inner, capture, (*way, site))

    def _waits(self, call: Call, frame: Context, *, direct: bool) -> str | None:
        """What a call is to a stream that captures; ``direct``: it stands in the block itself."""
        callee, given = call.callee, call.args
        values = self.program.values(callee, frame)
        names = [value.name for value in values if isinstance(value, Library)]
        for name in names:
            if self.words.get(name) == "waits":
                return "waits"
            if name in _TO_NUMBERS and len(given) == 1 and self.tensors.is_tensor(given[0], frame):
                return "fetches"
            if name == _PRINTS and any(self.tensors.is_tensor(each, frame) for each in given):
                return "prints"
            if self.program.knowledge.shapes.get(name) == "data":
                return "size"
        if not isinstance(callee, Attr) or given or any(isinstance(value, FunctionValue) for value in values):
            return None
        if callee.name in self.tables["dynamo.fetches"]["names"]:
            return "fetches" if direct or self.tensors.is_tensor(callee.base, frame) else None
        if callee.name in self.tables["cuda_streams.moves"]["names"]:
            return "fetches" if self.tensors.is_tensor(callee.base, frame) else None
        return None


def waiting(program: Program) -> Iterator[Waits]:
    """Each call at which the host would wait while a stream captures."""
    yield from _Waiting(program).all()


class Unwarmed(NamedTuple):
    """A capture of something that nothing around has run before; the change shows that done."""

    capture: Capture
    change: Change | None


def unwarmed(program: Program) -> Iterator[Unwarmed]:
    """Each capture of something that nothing around has ever run before, and nobody says that it has."""
    asked = program.ask(Contexts)
    words = program.knowledge.tables["cuda_streams.warms"]["names"]
    every = list(captures(program))
    for capture in every:
        sketch = program.modules[capture.module]
        inside = [node for node in walk(capture.block.body) if isinstance(node, CallStep)]
        captured = {last_name(node.term.callee) for node in inside} - {None}
        frame = program.frame(capture.module, capture.function)
        computes = [node for node in inside if _may_compute(program, node.term, frame)]
        if not computes:
            continue
        blocks = [each.block for each in every if each.module == capture.module]
        around = list(sketch.functions.values())
        inner = {node.term.site for block in blocks for node in walk(block.body) if isinstance(node, CallStep)}
        others = [node for function in around for node in calls_of(function) if node.term.site not in inner]
        if any(last_name(node.term.callee) in captured and _may_compute(program, node.term, frame) for node in others):
            continue
        if any(asked.beside(itself(program, capture.module, function)) for function in around):
            continue
        callers = [site.function for site in program.ask(CallGraph).callers(capture.function)]
        if any(_speaks(function, words) for function in (*around, *callers)):
            continue
        yield Unwarmed(capture, _warmed(program, capture, computes))


def _may_compute(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call may run a model: it is one of the project, or of something that nobody knows."""
    values = program.values(call.callee, frame)
    return not values or any(not isinstance(value, Library) for value in values) or isinstance(call.callee, Attr)


def _speaks(function: Function, words: list[str]) -> bool:
    """Whether a function, or a name in it, says that something is warmed up."""
    if any(word in function.qualname.lower() for word in words):
        return True
    for node in calls_of(function):
        for part in parts_of(node.term):
            if isinstance(part, (Attr, Param, Global, Ref, Const, LoopPhi)) and any(
                word in str(part.parts).lower() for word in words
            ):
                return True
    names = (*(name for name, _ in bindings(function)), *function.parameters)
    return any(word in name.lower() for name in names for word in words)


def _warmed(program: Program, capture: Capture, computes: list[CallStep]) -> Change | None:
    """Run before, three times, in a stream of its own: where the block does one thing that can be written once more."""
    call = computes[-1].term
    function, module = capture.function, program.modules[capture.module]
    parts = [name_in(part, function) for part in (call.callee, *call.args)]
    name = program.knowledge.tables["cuda_streams.library"]["name"]
    library = reference(name, module)
    inside = [node for node in walk(capture.block.body) if not isinstance(node, CallStep)]
    if None in parts or call.kwargs or library is None or len(computes) != 1 or inside:
        return None
    run = f"{parts[0]}({', '.join(str(part) for part in parts[1:])})"
    lines = (
        f"side_stream = {library}.Stream()",
        f"side_stream.wait_stream({library}.current_stream())",
        f"with {library}.stream(side_stream):",
        "    for _ in range(3):",
        f"        {run}",
        f"{library}.current_stream().wait_stream(side_stream)",
    )
    message = "Run it a few times first, on a side stream"
    return InsertBefore(Applicability.DISPLAY, message, statement=capture.block.spot, code="\n".join(lines))


class Unordered(NamedTuple):
    """A use of a tensor that another stream makes (``use``), or a stream that is told of itself (``record``).

    ``where`` is the block that runs in the other stream, ``by`` a call in it that leads to the place. ``tensor`` and ``stream``
    are what the two are called, where they have names.
    """

    module: str
    call: CallStep
    what: str
    where: tuple[str, Spot]
    by: tuple[str, Spot] | None = None
    change: Change | None = None
    tensor: str | None = None
    stream: str | None = None


def unordered(program: Program) -> Iterator[Unordered]:
    """Each such place."""
    asked = program.ask(Contexts)
    entering = sites_of(program, {name for name, word in asked.words.items() if word == "enters"})
    if not entering:
        return
    yield from _recorded(program, asked)
    for whole in all_inlined(program, entering):
        blocks = asked.beside(whole)
        if blocks and not in_tests(whole.module) and not tests_software(program, whole.module, whole.function):
            yield from _used(program, asked, whole, blocks)


# -- a stream that is told of itself -------------------------------------------------------------------------------------


def _recorded(program: Program, asked: Contexts) -> Iterator[Unordered]:
    """``x = y.to(device); x.record_stream(current_stream())`` within the other stream: that is where ``x`` was made."""
    for name in program.knowledge.tables["cuda_streams.records"]["names"]:
        for site in sites(program, name):
            call, function = site.call.term, site.function
            if (
                not call.args
                or not isinstance(call.callee, Attr)
                or tests_software(program, site.module, function)
                or in_tests(site.module)
            ):
                continue
            stream = call.args[0]
            if not isinstance(stream, Call) or not _is_current(program, asked, stream, program.frame(site.module, function)):
                continue
            made = call.callee.base
            blocks = [each for each in asked.beside(itself(program, site.module, function)) if within(function, each, stream)]
            if blocks:
                if all(isinstance(made, Call) and within(function, each, made) for each in blocks):
                    yield Unordered(site.module, site.call, "record", (site.module, blocks[-1].spot))
                continue
            around = asked.around(function) if isinstance(made, Call) and is_step(function, made) else None
            if around is not None and not _is_told(program, function):
                by, block = around
                yield Unordered(site.module, site.call, "record", (by.module, block.spot), (by.module, by.call.term.site))


def _is_current(program: Program, asked: Contexts, stream: Term, frame: Context) -> bool:
    values = program.values(stream, frame)
    return any(isinstance(value, LibraryObject) and asked.words.get(value.name) == "current" for value in values)


def _is_told(program: Program, function: Function) -> bool:
    """Whether a function is handed a stream by its callers: they know of it."""
    words = program.knowledge.tables["cuda_streams.words"]["names"]
    return any(word in parameter.lower() for parameter in function.parameters for word in words)


# -- used without waiting ------------------------------------------------------------------------------------------------


def _used(program: Program, asked: Contexts, whole: Inlined, blocks: list[With]) -> Iterator[Unordered]:
    """What a block computed in another stream, used behind it in the same function, which waits for nothing in between."""
    function, frame = whole.function, whole.frame
    if function.generator or any(word in function.qualname.lower() for word in ("wait", "sync")):
        return
    waits = frozenset(program.knowledge.tables["cuda_streams.waits"]["names"])
    for block in blocks:
        stream = _stream_of(program, block, frame)
        if stream is None or not asked.made(stream, frame):
            continue
        inside = [node for node in calls_of(function) if within(function, block, node)]
        made: set[Term] = {node.term for node in inside if node.term not in block.items}
        behind = [node for node in calls_of(function) if after(function, block, node)]
        if any(last_name(node.term.callee) in waits or _says_so(node, waits) for node in (*inside, *behind)):
            continue
        for node in behind:
            tensor = None if any(within(function, other, node) for other in blocks) else _used_in(program, node.term, made, frame)
            if tensor is None:
                continue
            change = _waited(program, function, node, stream, block) if whole.owns(node.term.site) else None
            names = name_in(tensor, function), name_in(stream, function)
            yield Unordered(whole.path(node.term.site), node, "use", (whole.path(block.spot), block.spot), None, change, *names)
            break


def _stream_of(program: Program, block: With, frame: Context) -> Term | None:
    """The stream of a block that certainly runs in it: the call stands in its header."""
    for item in block.items:
        if isinstance(item, Call) and item.args and program.ask(Contexts).word(item.callee, frame) == "enters":
            given: Term = item.args[0]
            return given
    return None


def _says_so(node: CallStep, waits: frozenset[str]) -> bool:
    name = (last_name(node.term.callee) or "").lower()
    return any(word in name for word in ("wait", "sync")) or name in waits


def _used_in(program: Program, call: Call, made: set[Term], frame: Context) -> Term | None:
    """What was made in the block and a call works with the values of."""
    callee = call.callee
    if isinstance(callee, Attr) and _comes_of(program, callee.base, made, frame):
        works = callee.name in program.knowledge.tensor_methods or callee.name in program.knowledge.reads
        return callee.base if works else None
    tensors = program.ask(TracedTensors)
    tensor = next((given for given in call.args if _comes_of(program, given, made, frame)), None)
    works = tensor is not None and any(tensors.computes(value) for value in program.values(callee, frame))
    return tensor if works else None


def _comes_of(program: Program, term: Term, made: set[Term], frame: Context) -> bool:
    """Whether a term is something that was made, an item of it, or arithmetic of it."""
    term = local_origin(program, term, frame)
    if term in made:
        return True
    parts = parts_of(term) if isinstance(term, (Subscript, BinOp)) else ()
    return any(part in made or local_origin(program, part, frame) in made for part in parts)


def _waited(program: Program, function: Function, node: CallStep, stream: Term, block: With) -> Change | None:
    """The current stream told to wait, before the statement that uses the tensor."""
    said = name_in(stream, function)
    current = _named(program, block)
    if said is None or current is None:
        return None
    code = f"{current}().wait_stream({said})"
    return InsertBefore(Applicability.DISPLAY, "Let the current stream wait", statement=node.statement, code=code)


def _named(program: Program, block: With) -> str | None:
    """How the current stream can be asked for where the block enters one: by the same import."""
    item = next((each for each in block.items if isinstance(each, Call)), None)
    if item is None or not isinstance(item.callee, (Attr, Ref)):
        return None
    dotted = item.callee.name if isinstance(item.callee, Ref) else None
    name = program.knowledge.tables["cuda_streams.current"]["name"]
    return f"{dotted.rpartition('.')[0]}.{name}" if dotted is not None and dotted.count(".") > 1 else None
