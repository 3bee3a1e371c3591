"""Graph leaks: values that hold their autograd graph and escape into what outlives the round that computed them.

What is done to an object's attributes from outside: somebody else may empty them, or use what they hold.

Puts together what is known of graph tensors (``graphs.py``), backward passes (``backward.py``), sinks
(``escape.py``) and lifetimes (``lifetime.py``). The proof asked for is a backward pass in the same round: what it
starts from, or what shares its graph beyond doubt, was recorded, and its gradients are taken already, so nothing
needs the graph any more.

What the rules about kept graphs ask: the leaks of one kind, in words and places for a message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.backward import Backward, Root
from trainlint.domains.autograd.escape import Part, Path, Sink, Sinks, call_of, mentions_parameter
from trainlint.domains.autograd.evaluation_passes import Evaluation
from trainlint.domains.autograd.graphs import Graphs, Meeting, Parts, mentions
from trainlint.domains.autograd.indirect_escape import Keepers, items
from trainlint.domains.autograd.lifetime import Keys, Lifetimes, Origin
from trainlint.domains.grad_mode import OFF, ON, UNKNOWN, GradMode
from trainlint.finding import Applicability, Reason, Spot
from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Const,
    Display,
    Entered,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.order import Order, before, in_block, loops_around, order, within
from trainlint.ir.printer import holder_in, name_in
from trainlint.ir.sketch import CallStep, Function, If, Keep, Loop, Store, With
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.contexts import calling_contexts
from trainlint.program.leading import Leading
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Instance, Value


class Outside:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def touched(self, holder: Term) -> bool:
        """Whether a holder is an attribute of the object that is mentioned elsewhere as that of something else: ``model.losses``.

        It is taken by its name: who reads it may need the graphs, who calls a method of it may empty it.
        """
        while isinstance(holder, (Subscript, Call)):
            holder = holder.stem
        while isinstance(holder, Attr) and isinstance(holder.base, Attr):
            holder = holder.base
        return isinstance(holder, Attr) and holder.name in self._names()

    @remembered()
    def _names(self) -> frozenset[str]:
        found: set[str] = set()
        for _, function in self.program.functions():
            for store in of_kind(function, Store):
                if isinstance(store.target, Attr):
                    _note(store.target, found)
            for call in of_kind(function, CallStep):
                for part in call.term.subterms():
                    _note(part, found)
        return frozenset(found)


def _note(term: Term, found: set[str]) -> None:
    """The attributes in a term that are not those of the object itself."""
    while isinstance(term, Access):
        if isinstance(term, Attr) and not isinstance(term.base, (Self, Ref, Attr)):
            found.add(term.name)
        term = term.base


class Proof(NamedTuple):
    """Why a part holds a graph: the backward pass that shows it, in the function of the frame.

    ``item``: the file and place where that was put into the dict that the part is.
    """

    part: Part
    root: Root
    meeting: Meeting
    item: tuple[str, Spot] | None = None


class Kept(NamedTuple):
    """A sink into which graphs go.

    ``kind``: "sum" or "store". ``loop``: each of its rounds adds one more graph (None: each call does). ``paths`` lead to
    the parts that could be detached; empty when they cannot be named. ``inner``: the sink in the method that keeps it.
    ``evaluated``: there is no backward pass; ``proof.root`` is the call of a model in evaluation mode.
    """

    kind: str
    sink: Sink
    frame: Context
    loop: Loop | None
    origin: Origin
    proof: Proof
    paths: tuple[Path, ...]
    inner: Sink | None
    evaluated: bool


class KeptGraphs:
    """Finds them all, once for all rules that ask."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.backward = program.ask(Backward)
        self.graphs = program.ask(Graphs)
        self.evaluation = program.ask(Evaluation)
        self.mode = program.ask(GradMode)
        self.lifetimes: Lifetimes = program.ask(Lifetimes)
        self.keys = Keys(program)
        self.keepers = Keepers(self.graphs, self.mode)
        self.outside = Outside(program)
        #: The sinks in methods, by their spot, that were weighed from where the method is called.
        self._weighed: set[Spot] = set()
        self.found = (*self._find(), *self._kept_for_callers())

    def _find(self) -> Iterator[Kept]:
        for module, function in self.program.functions():
            trains = id(function) in self.backward.training()
            if not trains and not self._may_hold_graphs(module, function):
                continue
            if tests_software(self.program, module, function):
                continue  # a few rounds, and over
            for sink in self.program.ask(Sinks).of(module, function):
                if not sink.parts or all(isinstance(part.term, Const) for part in sink.parts) or self._is_of_evaluation(sink):
                    continue
                kept = self._first(sink, module, function, trains=trains)
                if kept is not None:
                    yield kept
                else:
                    yield from self._evaluated(sink, module, function)

    def _kept_for_callers(self) -> Iterator[Kept]:
        """What methods keep of what a callback or a log is told, in the activations in which something trains."""
        training, index = self.backward.training(), self.program.ask(CallGraph)
        trainers = [(path, each) for path, each in self.program.functions() if id(each) in training]
        computes = any(self.backward.roots(self.program.frame(path, each)) for path, each in trainers)
        told = self.program.ask(Leading).told([each for _, each in trainers] if computes else ())
        for module, function in self.program.functions() if told else ():
            if function.kind != "method" or id(function) in training or self._may_hold_graphs(module, function):
                continue
            if told.isdisjoint(index.called_as(function)) and not index.may_be_chosen(function):
                continue
            if tests_software(self.program, module, function):
                continue
            for sink in dict.fromkeys(keeper.sink for keeper in self.program.ask(Sinks).keepers(module, function)):
                if sink.kind not in ("store", "sum") or sink.spot in self._weighed:
                    continue
                frames = calling_contexts(self.program, module, function)
                ways = (self._judged(sink, frame) for frame in frames if frame.caller is not None and _lasts(frame.owner()))
                kept = next((each for each in ways if each is not None), None)
                if kept is not None:
                    yield kept

    def _may_hold_graphs(self, module: str, function: Function) -> bool:
        """Whether a function that runs no backward pass may have to do with one elsewhere, or evaluates a model."""
        return (
            id(function) in self.backward.stepping()
            or id(function) in self.backward.lending()
            or bool(self.backward.handed_to_objects(function))
            or bool(self.evaluation.models(module, function))
        )

    def _first(self, sink: Sink, module: str, function: Function, *, trains: bool) -> Kept | None:
        """The first activation in which the sink keeps graphs: on its own, or as its callers run it."""
        own = self.program.frame(module, function)
        kept = self._judged(sink, own) if trains else None
        if kept is None and self._depends(sink, own, trains=trains):
            for frame in calling_contexts(self.program, module, function):
                if frame is not own:
                    kept = kept or self._judged(sink, frame)
        lending = () if kept is not None or trains else self.backward.lending().get(id(function), ())
        if lending and not self._asked_for(sink) and not self.outside.touched(sink.holder):
            for frame in lending:
                if self.lifetimes.outlives(frame):
                    kept = kept or self._judged(sink, frame)
        return kept

    def _depends(self, sink: Sink, own: Context, *, trains: bool) -> bool:
        """Whether callers can make a difference: what the function is handed keeps the graphs, or computes the gradients."""
        if trains and (sink.kind == "hand" or isinstance(self.lifetimes.root_of(sink.holder), (Param, Call))):
            return True
        if sink.kind != "hand" and id(own.function) in self.backward.stepping():
            return not self._asked_for(sink)
        handed = [held for term in self.backward.handed_to_objects(own.function) for held in self.graphs.held(term, own)]
        return bool(handed) and any(key in handed for part in sink.parts for key in self.graphs.held(part.term, own))

    def _asked_for(self, sink: Sink) -> bool:
        """Whether a test of a parameter leads to the sink: the phase, say, in a step that training and validation share."""
        tests = (node for node in statements_of(sink.function) if isinstance(node, If) and within(sink.function, node, sink.spot))
        return any(
            mentions_parameter(node.condition, sink.function.qualname, name)
            for node in tests
            for name in sink.function.parameters
        )

    def _is_of_evaluation(self, sink: Sink) -> bool:
        """Whether a test that leads to the sink says that nothing is trained there: ``not self.training``, ``not training``."""
        phases = self.program.knowledge.phases
        around = (node for node in of_kind(sink.function, If) if within(sink.function, node, sink.spot))
        tests = (positive(node.condition, holds=in_block(sink.function, node.body, sink.spot)) for node in around)
        return any(isinstance(test, (Attr, Param)) and test.name in phases and not holds for test, holds in tests)

    def _evaluated(self, sink: Sink, module: str, function: Function) -> Iterator[Kept]:
        """A sink in an evaluation pass that records gradients."""
        if not self.evaluation.models(module, function):
            return
        kept = self._judged(sink, self.program.frame(module, function), evaluated=True)
        if kept is not None:
            yield kept

    def lacking(self, sink: Sink) -> str:
        """What is missing for a sink that is not among those found, as its own function runs it.

        "training": no gradients are computed around it; "graph": nothing shows that what goes in holds one; "mode": none is
        recorded there; "holder": where that comes from is not known; "round": it does not outlive the round, or is emptied.
        """
        frame = self.program.frame(sink.module, sink.function)
        if id(sink.function) not in self.backward.training():
            return "training"
        proofs = [proof for part in sink.parts if (proof := self._proof(part, frame, sink.spot)) is not None]
        if not proofs:
            return "graph"
        if sink.kind in ("sum", "join") and not self._is_added_with_graph(sink, frame, proofs):
            return "mode"
        return "holder" if self.lifetimes.origin(sink.holder, frame) is None else "round"

    def _judged(self, sink: Sink, frame: Context, *, evaluated: bool = False) -> Kept | None:
        if sink.kind != "hand":
            return self._judged_as(sink, None, frame, evaluated=evaluated)
        ways = (self._judged_as(handed, inner, frame, evaluated=evaluated) for handed, inner in self.keepers.of(sink, frame))
        return next((kept for kept in ways if kept is not None), None)

    def _judged_as(self, sink: Sink, inner: Sink | None, frame: Context, *, evaluated: bool) -> Kept | None:
        prove = self._output if evaluated else self._proof
        proofs = [proof for part in sink.parts if (proof := prove(part, frame, sink.spot)) is not None]
        if not proofs and not evaluated and inner is None:
            proofs = self._taken_back(sink, frame)
        records = sink.kind == "item" and inner is None and self.lifetimes.records(sink.holder, frame)
        adds = sink.kind in ("sum", "join") or records
        if proofs and inner is not None:
            self._weighed.add(inner.spot)
        if not proofs or (adds and inner is None and not self._is_added_with_graph(sink, frame, proofs)):
            return None
        origin = self.lifetimes.origin(sink.holder, frame)
        if origin is None or (sink.doubtful and origin.kind != "made"):
            return None
        if inner is None and sink.kind in ("store", "item") and not records and not self.lifetimes.grows(sink.holder, frame):
            return None
        if inner is not None and self._is_bounded(inner, sink):
            return None
        if self._used(inner if inner is not None and isinstance(sink.holder, Self) else sink, frame):
            return None
        for loop in self._rounds(sink, origin, frame, proofs):
            fitting = [proof for proof in proofs if self._in(proof, loop, frame)]
            if not fitting or self.lifetimes.bounded(sink, loop):
                return None
            if loop is not None and self.lifetimes.once(sink, loop):
                continue
            direct = any(self._is_direct(proof, frame) for proof in fitting)
            if loop is not None and not evaluated and self.lifetimes.one_step(sink, loop, origin, direct=direct):
                continue
            if not records and not self._grows(sink, inner, loop, frame):
                continue
            kind = "sum" if (inner or sink).kind == "sum" or records else "store"
            whole = [proof for proof in fitting if not (proof.meeting.container or proof.part.inner)]
            paths = tuple(proof.part.path for proof in whole if proof.meeting.sure)
            named = len(paths) == len(fitting) and not any(proof.root.returned for proof in fitting)
            named = named and (inner is None or all(paths))
            detachable = paths if named and all(_is_tensor(p.part.term) for p in fitting) else ()
            return Kept(kind, sink, frame, loop, origin, fitting[0], detachable, inner, evaluated)
        return None

    def _rounds(self, sink: Sink, origin: Origin, frame: Context, proofs: list[Proof]) -> Iterator[Loop | None]:
        found = False
        for loop in self.lifetimes.rounds(sink, origin):
            if all(self._is_taken_apart(proof, loop) and not self._in(proof, loop, frame) for proof in proofs):
                continue  # it only takes apart what one round made
            found = True
            yield loop
        if found:
            return
        if origin.kind in ("attribute", "global"):
            if self.lifetimes.repeated(frame):
                yield None
        else:
            again = origin.kind == "parameter" and self.lifetimes.passed_again(sink, frame)
            if again or (origin.kind == "made" and self.lifetimes.handed_in_rounds(sink, origin)):
                yield None

    def _is_taken_apart(self, proof: Proof, loop: Loop) -> bool:
        """Whether what is kept is an item that a loop takes out of something."""
        drawn = loop.target is not None and mentions(proof.part.term, frozenset({loop.target}))
        return proof.meeting.row or drawn

    def _grows(self, sink: Sink, inner: Sink | None, loop: Loop | None, frame: Context) -> bool:
        """Whether what goes in is put beside what is there already, and not in its place under the same key."""
        if sink.kind == "item":
            return isinstance(sink.holder, Subscript) and self.keys.differs(sink.holder.key, loop, frame)
        if inner is None or inner.kind != "item":
            return True
        call = call_of(sink)
        return (
            call is not None
            and isinstance(inner.holder, Subscript)
            and self.keys.handed(inner, inner.holder.key, call, loop, frame)
        )

    def _is_bounded(self, inner: Sink, sink: Sink) -> bool:
        """Whether the object that keeps holds a fixed number of things, or gives them up in every round."""
        own = self.program.frame(inner.module, inner.function)
        if inner.kind in ("store", "item") and not self.lifetimes.grows(inner.holder, own):
            return True
        return self.lifetimes.bounded(inner, None, sink)

    # -- is it a graph tensor? -------------------------------------------------------------------------------------

    def _proof(self, part: Part, frame: Context, spot: Spot) -> Proof | None:
        value = self.graphs.held(part.term, frame)
        where = dict.fromkeys(inner for _, inner in value)
        where[frame] = None
        for place in where:
            for root in self.backward.roots(place):
                meeting = self.graphs.meeting(value, self.graphs.held(root.term, root.frame))
                if meeting is None or not (meeting.plain or not self._blocked(frame, meeting, spot)):
                    continue
                if not meeting.sure and not self._is_recorded(meeting):
                    continue
                if self._ended((part.term, meeting.term), frame.function) or (
                    meeting.row and self.keepers.chosen(value, frame, spot)
                ):
                    continue
                holders = (part.term, meeting.term, *(meeting.term.parts[:1] if meeting.row else ()))
                if meeting.container and (part.cut or self._changed(holders, root, frame.function)):
                    continue
                return Proof(part, root, meeting)
        return self._of_item(part, value, frame) if not part.cut else None

    def _of_item(self, part: Part, value: Parts, frame: Context) -> Proof | None:
        """A dict in which one of the items holds a graph: the log of a step, handed on beside its loss."""
        for item in items(self.graphs, value):
            held = self.graphs.held(item.value, item.frame)
            for place in dict.fromkeys((frame, item.frame, *(inner for _, inner in held))):
                for root in self.backward.roots(place):
                    meeting = self.graphs.meeting(held, self.graphs.held(root.term, root.frame))
                    if meeting is None or meeting.container or self._blocked(item.frame, meeting, item.spot):
                        continue
                    if (meeting.sure or self._is_recorded(meeting)) and not self._ended(
                        (item.value, meeting.term), item.frame.function
                    ):
                        where = (item.frame.module, item.spot)
                        return Proof(part, root, meeting._replace(container=True), where)
        return None

    def _taken_back(self, sink: Sink, frame: Context) -> list[Proof]:
        """A list from whose end the backward pass of the round takes what was put there: ``losses[-1].backward()``.

        What is put in cannot be detached: the backward pass needs it.
        """
        if sink.kind != "store" or len(sink.parts) != 1:
            return []
        part = sink.parts[0]
        roots = (root for root in self.backward.roots(frame) if _is_last_of(root.term, sink.holder))
        found = (root for root in roots if before(frame.function, sink.spot, root.spot))
        return [
            Proof(part, root, Meeting(part.term, frame, sure=False, plain=True, container=False, row=False)) for root in found
        ]

    def _is_recorded(self, meeting: Meeting) -> bool:
        """Whether what one operand of a loss is comes from a call that records a graph."""
        term = meeting.term.base if isinstance(meeting.term, Subscript) else meeting.term
        return not isinstance(term, Call) or self.mode.at(meeting.frame, term.site) != OFF

    def _output(self, part: Part, frame: Context, spot: Spot) -> Proof | None:
        """A model's output in an evaluation pass, or a loss computed from it."""
        call = self.evaluation.output(part.term, frame)
        if call is None:
            return None
        meeting = Meeting(call, frame, sure=part.term is not call, plain=True, container=False, row=False)
        if part.term is not call and self._blocked(frame, meeting, spot):
            return None
        return Proof(part, Root(call, frame, call.site), meeting)

    def _blocked(self, frame: Context, meeting: Meeting, spot: Spot) -> bool:
        """Whether arithmetic between a graph tensor and the sink may run without gradients: its result may hold no graph.

        It stands behind what made the tensor and before the sink, so a block elsewhere in the function does not count.
        """
        function, numbers = frame.function, order(frame.function)
        first = _made_at(meeting.term, numbers) if meeting.frame is frame else -1
        last = numbers.at(spot)
        between = (
            node
            for node in of_kind(function, With)
            if first < numbers.first[id(node)] and (last is None or numbers.first[id(node)] < last)
        )
        return any(self.mode.turns_off(node, frame) for node in between)

    def _ended(self, tensors: tuple[Term, Term], function: Function) -> bool:
        """Whether the graph is cut off the tensor itself (``loss.detach_()``)."""
        names = self.program.knowledge.ends_in_place
        callees = (node.term.callee for node in calls_of(function))
        return any(isinstance(callee, Attr) and callee.name in names and callee.base in tensors for callee in callees)

    def _changed(self, containers: tuple[Term, ...], root: Root, function: Function) -> bool:
        """Whether an item of what a model or helper returned is set or taken out: a detached value may stand in its place.

        The item that the backward pass starts from stays there, unless it may be set once more behind it.
        """
        empties = self.program.knowledge.empties
        inside = self.graphs.held(root.term, root.frame) if root.frame.function is function else ()
        key = next((term.key for term, _ in inside if isinstance(term, Subscript) and term.base in containers), None)
        for node in statements_of(function):
            if isinstance(node, Keep) and isinstance(node.target, Subscript) and node.target.base in containers:
                anew = key is None or (before(function, root.spot, node) and not _are_two(key, node.target.key))
                if anew:
                    return True
            elif (
                isinstance(node, CallStep)
                and isinstance(node.term.callee, Attr)
                and node.term.callee.base in containers
                and node.term.callee.name in empties
            ):
                return True
        return False

    def _is_added_with_graph(self, sink: Sink, frame: Context, proofs: list[Proof]) -> bool:
        """Whether the addition is recorded: gradients are on, or whatever is on where the graph was recorded that goes in."""
        mode = self.mode.at(frame, sink.spot)
        if mode != UNKNOWN:
            return mode == ON
        made = (part.site for proof in proofs for part in parts_of(proof.part.term) if isinstance(part, Call))
        return any(self.mode.alike(frame, sink.spot, site) for site in made)

    def _is_direct(self, proof: Proof, frame: Context) -> bool:
        """Whether the backward pass is written out in the function: ``loss.backward()``, in no helper, by no framework."""
        root = proof.root
        if root.frame is not frame:
            return False
        here = (node.term for node in calls_of(frame.function))
        return any(call.site == root.spot and isinstance(call.callee, Attr) and call.callee.base is root.term for call in here)

    def _in(self, proof: Proof, loop: Loop | None, frame: Context) -> bool:
        """Whether the backward pass is run by the rounds of the loop."""
        return loop is None or proof.root.frame is not frame or within(frame.function, loop, proof.root.spot)

    def _used(self, sink: Sink, frame: Context) -> bool:
        """Whether a backward pass starts from what the sink holds: then it is the loss itself."""
        root = self.lifetimes.root_of(sink.holder)
        own = frozenset((root, sink.holder))
        carried = root.name if isinstance(root, LoopPhi) else None
        functions = [sink.function]
        if isinstance(root, Attr) and isinstance(root.base, Self):
            cls = self.program.modules[sink.module].classes.get(root.base.cls)
            functions += [self.program.modules[sink.module].functions[name] for name in cls.methods.values()] if cls else []
        for function in dict.fromkeys(functions):
            place = frame if function is sink.function else self.program.frame(sink.module, function)
            starts = (start.term for start in self.backward.roots(place))
            if any(mentions(start, own, carried) and not _is_last_of(start, sink.holder) for start in starts):
                return True
        return False


def _lasts(owner: Value | None) -> bool:
    """Whether an object is made before all loops, in the activations that make it."""
    if not isinstance(owner, Instance) or owner.call is None or owner.frame is None:
        return False
    calls = (owner.call, *(frame.call for frame in owner.frame.active()))
    return not any(
        call is not None and loops_around(frame.function, call) for call, frame in zip(calls, owner.frame.active(), strict=False)
    )


def _is_last_of(term: Term, holder: Term) -> bool:
    """Whether a term is the last item of a holder: ``losses[-1]``."""
    return bool(isinstance(term, Subscript) and term.base is holder and isinstance(term.key, Const) and term.key.value == -1)


def _are_two(key: Term, other: Term) -> bool:
    """Whether two keys are certainly not the same."""
    return bool(isinstance(key, Const) and isinstance(other, Const) and key.value != other.value)


def _made_at(term: Term, numbers: Order) -> int:
    """The step of a function before which a value cannot have been there: the number of the call that makes it, or -1."""
    while isinstance(term, (Access, Entered)):
        term = term.stem
    if isinstance(term, Call):
        number = numbers.at(term)
        return -1 if number is None else number
    if isinstance(term, BinOp):
        return max(_made_at(term.left, numbers), _made_at(term.right, numbers))
    return min(_made_at(term.then, numbers), _made_at(term.other, numbers)) if isinstance(term, Select) else -1


def _is_tensor(term: Term) -> bool:
    """Whether a part is a tensor for sure where it is written, and no container."""
    if isinstance(term, Select):
        then, other = term.then, term.other
        return _is_tensor(then) and _is_tensor(other) and (_computed_from(then, other) or _computed_from(other, then))
    return not isinstance(term, (BoolOp, Display))


def _computed_from(result: Term, given: Term) -> bool:
    """Whether a value is a quotient or a method's result of another: ``if gpus > 1: loss = loss.mean()`` leaves a tensor."""
    if isinstance(result, BinOp):
        return result.op == "Div" and result.left is given
    return isinstance(result, Call) and isinstance(result.callee, Attr) and result.callee.base is given


def leaks(program: Program, kind: str) -> Iterator[Kept]:
    """The sinks that keep graphs: "sum" (a running total) or "store" (a growing container)."""
    return (kept for kept in program.ask(KeptGraphs).found if kept.kind == kind)


def safe(program: Program, kept: Kept) -> Applicability:
    """The repair of a sink: not safe where another one, which has no repair, keeps the same graphs, so that nothing is gained."""
    others = (each for each in program.ask(KeptGraphs).found if each.proof.root.spot == kept.proof.root.spot and not each.paths)
    kept_anyway = any(each.sink.module == kept.sink.module and each.loop is kept.loop for each in others)
    return Applicability.UNSAFE if kept_anyway else Applicability.SAFE


def holder_name(kept: Kept) -> str | None:
    """What the holder is called where the graphs go in; None when it has no name there."""
    inner = kept.inner
    if inner is not None and isinstance(kept.sink.holder, Self) and inner.function.cls == kept.sink.function.cls:
        return holder_in(inner.holder, inner.function)
    return holder_in(kept.sink.holder, kept.sink.function)


def reasons(kept: Kept) -> tuple[Reason, ...]:
    """The places that explain a leak: the backward pass, the holder, the loop, the method that keeps."""
    own = kept.frame.module
    root = kept.proof.root
    why = "a backward pass runs on it here: it holds the graph of this iteration"
    if root.returned:
        why = "a backward pass runs on what is returned here: it holds the graph of this iteration"
    if root.handed:
        why = "what the framework passes here holds the graph of this iteration"
    if kept.evaluated:
        why = "the model runs here with gradients recorded: no `torch.no_grad()` is around it"
    found = [Reason(root.frame.module, root.spot, why)]
    if kept.proof.item is not None:
        found.append(Reason(*kept.proof.item, "what is added to the dict here holds that graph"))
    if kept.inner is not None:
        what = "method" if kept.inner.function.kind == "method" else "function"
        found.append(Reason(kept.inner.module, kept.inner.statement, f"the {what} stores it here"))
    if kept.origin.kind == "made" and kept.origin.spot is not None:
        name = holder_name(kept)
        holder = f"`{name}`" if name is not None else "the container"
        found.append(Reason(own, kept.origin.spot, f"{holder} is created here, outside the loop"))
    if kept.loop is not None:
        found.append(Reason(own, kept.loop.spot, "each iteration of this loop adds one more"))
    return tuple(reason for reason in found if reason.spot != kept.sink.spot)


def content(kept: Kept) -> str:
    """Which graphs a container keeps."""
    if kept.proof.item is not None:
        return "an autograd graph in every dict added to it"
    named = {name_in(part.term, kept.sink.function) for part in kept.sink.parts}
    name = named.pop() if len(named) == 1 else None
    return f"the autograd graph of every {f'`{name}`' if name else 'tensor'} added to it"


def size(kept: Kept) -> str:
    """What stays of each graph. Measured with PyTorch 2.13: ``backward`` frees the tensors saved for it, not the nodes."""
    if kept.evaluated:
        return "the nodes of each graph stay, and so do the tensors saved for a backward pass that never runs"
    return "the nodes of each graph stay, though the backward pass has freed the saved tensors"


def detachable(kept: Kept) -> Spot | None:
    """The statement or call in which the graphs could be cut off; None when the parts cannot be named."""
    if not kept.paths:
        return None
    return kept.sink.spot
