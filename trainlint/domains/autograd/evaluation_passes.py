"""Evaluation passes that record gradients, and what excuses one: switched off elsewhere, frozen, wanted.

Models whose passes may record nothing although no block says so: gradients are switched off by a call, or weights
are frozen.

``torch.set_grad_enabled(False)`` as a statement holds from there on, wherever that is; as a ``with`` it holds in
its block. Frozen weights are those of one model: a teacher's say nothing of the model beside it.

Models that compute gradients in their own pass: learners that adapt first, potentials whose forces are derivatives.

Evaluation passes that record gradients: a model that was put into evaluation mode runs, and nothing turns them off.

The model is known by what is done with it: ``eval()`` is called on the very thing that is called. Its output holds
a graph, and so does a loss of the tables that is computed from it; nobody will ask for their gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.domains.autograd.graphs import Graphs
from trainlint.domains.grad_mode import ON, GradMode
from trainlint.domains.nn.modules import methods_run, of_module
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.order import before, loops_around, within
from trainlint.ir.sketch import Function, Store, With
from trainlint.ir.terms import is_true
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.leading import Leading
from trainlint.program.library_uses import imports_framework
from trainlint.program.memo import remembered
from trainlint.program.object_identity import NOTHING, Allocation, Identities, Key, Keys, Parameter, parted
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue


class Suspended:
    """Answers for one program, file by file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self._switches = [name.rpartition(".")[2] for name, word in self.knowledge.grad_modes.items() if word == "flag"]

    def may_be(self, module: str, keys: Keys) -> bool:
        """Whether a file may see to it that passes of a model (its keys) record nothing; of no keys, that any model's do not."""
        if self._is_switched(module):
            return True
        passed = self._passed(keys)
        return any(self._may_be_one(frozen, keys) and self._may_be_one(frozen, passed) for frozen in self._all_frozen(module))

    def is_frozen(self, keys: Keys) -> bool:
        """Whether the weights of one of these very models are frozen, or may be, in whichever file: by its own class, for one."""
        models = keys | self._passed(keys)
        return any(frozen & models for module in self.program.modules for frozen in self._all_frozen(module))

    def _passed(self, keys: Keys) -> Keys:
        """The same models, with what callers in sight pass in place of parameters."""
        asked = self.program.ask(Identities)
        found: set[Key] = set()
        for key in keys:
            frame, term = asked.parameters.get(key, (None, None))
            if frame is None or term is None:
                found.add(key)
                continue
            frames = calling_contexts(self.program, frame.module, frame.function)
            found.update(NOTHING.union(*(asked.of(term, each) for each in frames)) or {key})
        return frozenset(found)

    def _may_be_one(self, frozen: Keys, keys: Keys) -> bool:
        """Whether one of two sets of models may be, or be a part of, one of the others."""
        return not frozen or not keys or not all(self._are_two(one, other) for one in frozen for other in keys)

    def _are_two(self, one: Key, other: Key) -> bool:
        """Whether two keys are those of two models.

        They are parts of one thing, one function is given both, or two calls made them; and what a call in sight makes is not
        what a function is given that nobody is seen to call.
        """
        (root, parts), (other_root, other_parts) = parted(one), parted(other)
        if root == other_root:
            return any(part != other_part for part, other_part in zip(parts, other_parts, strict=False))
        roots = (root, other_root)
        handed = {(each.module, each.function) if isinstance(each, Parameter) else None for each in roots}
        if len(handed) == 1 and None not in handed:
            return True
        made = [each for each in roots if isinstance(each, Allocation)]
        return bool(made) and all(each in made or self._is_from_outside(each) for each in roots)

    def _is_from_outside(self, key: Key) -> bool:
        frame, _ = self.program.ask(Identities).parameters.get(key, (None, None))
        return frame is not None and not self.program.ask(CallGraph).callers(frame.function)

    @remembered()
    def _is_switched(self, module: str) -> bool:
        index = self.program.ask(CallGraph)
        sites = (site for name in self._switches for site in index.sites.get(name, ()) if site.module == module)
        return any(self._stays(site.function, site.call.term) for site in sites)

    def _stays(self, function: Function, call: Call) -> bool:
        """Whether what a switch says stays so, and may be that nothing is recorded."""
        if any(item is call for node in of_kind(function, With) for item in node.items):
            return False
        return not (call.args and isinstance(call.args[0], Const) and call.args[0].value is True)

    @remembered()
    def _all_frozen(self, module: str) -> list[Keys]:
        """The models whose weights a file freezes, or may: one set for each statement, empty where nobody knows of which."""
        functions = self.program.modules[module].functions.values()
        return [keys for each in functions for keys in self._freezing(module, each)]

    def _freezing(self, module: str, function: Function) -> Iterator[Keys]:
        for base in self._bases(function):
            frames = calling_contexts(self.program, module, function)
            yield NOTHING.union(*(self.program.ask(Identities).of_owner(base, frame) for frame in frames))

    def _bases(self, function: Function) -> Iterator[Term]:
        """What a function says needs no gradient, or may need none."""
        names = self.knowledge.freezes
        for store in of_kind(function, Store):
            if isinstance(store.target, Attr) and store.target.name in names and not is_true(store.value):
                yield store.target.base
        for node in calls_of(function):
            callee, given = node.term.callee, (*node.term.args, *(value for _, value in node.term.kwargs))
            if not isinstance(callee, Attr) or not callee.name.endswith("_") or callee.name[:-1] not in names:
                continue
            if given and not is_true(given[0]):
                yield callee.base


#: What calling a model runs.
_PASSES = frozenset(("forward", "__call__"))


class Within:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._passes: list[str] = []

    def computes(self, call: Call, frame: Context) -> bool:
        """Whether a pass computes gradients itself; of a model out of sight, whether one of the models around it does."""
        computing = self._functions()
        if not computing:
            return False
        targets = methods_run(self.program, call, frame)
        if targets:
            return any(id(target.function) in computing for target in targets)
        return any(self.program.together(path, frame.module) for path in self._passes)

    def is_seen(self, call: Call, frame: Context) -> bool:
        """Whether it is seen what a pass runs."""
        return any(isinstance(target, FunctionValue) for target in self.index.targets(call, frame))

    @remembered()
    def _functions(self) -> frozenset[int]:
        """What computes gradients, itself or in what it calls; the passes of models among it are kept by their files."""
        knowledge = self.program.knowledge
        names = (knowledge.asks_gradients - knowledge.steps - knowledge.training) | frozenset(knowledge.backward)
        sites = (site for name in sorted(names) for site in self.index.sites_named(name))
        leading = self.program.ask(Leading).to(*(site.function for site in sites))
        self._passes = [
            each.module
            for each in leading.values()
            if each.function.name in _PASSES
            and of_module(self.program, each.module, each.function)
            and not tests_software(self.program, each.module, each.function)
        ]
        return frozenset(leading)


class Evaluation:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.graphs: Graphs = program.ask(Graphs)
        self.mode = program.ask(GradMode)
        knowledge = program.knowledge
        self._evaluates = knowledge.evaluates
        self._gradients = frozenset((*knowledge.backward, *knowledge.asks_gradients))
        sites = self.graphs.index.sites
        self._putting = {id(site.function) for name in self._evaluates for site in sites.get(name, ())}

    @remembered()
    def models(self, module: str, function: Function) -> frozenset[Term]:
        """What a function puts into evaluation mode; empty where gradients may be off, or are not PyTorch's."""
        return frozenset(self._found(module, function))

    def output(self, term: Term, frame: Context) -> Call | None:
        """The call of a model whose graph a value holds, directly or through a loss; None when it holds none for sure."""
        models = self.models(frame.module, frame.function)
        if not models:
            return None
        for (part, where), way in self.graphs.held(term, frame).items():
            if where is not frame or not way.whole:
                continue
            call = self._output(part, frame, models)
            if call is not None and not self._wants_gradients(call, frame.function) and self._records(call, frame):
                return call
        return None

    def _found(self, module: str, function: Function) -> Iterator[Term]:
        if id(function) not in self._putting or not self.program.ask_of(imports_framework, self.program.modules[module]):
            return
        for node in calls_of(function):
            if last_name(node.term.callee) in self._evaluates and isinstance(node.term.callee, Attr):
                model = node.term.callee.base
                frames = calling_contexts(self.program, module, function)
                keys = NOTHING.union(*(self.program.ask(Identities).of(model, frame) for frame in frames))
                if not self.program.ask(Suspended).may_be(module, keys):
                    yield model

    def _wants_gradients(self, call: Call, function: Function) -> bool:
        """Whether gradients are computed, or prepared for, where a model runs: in the loops around it, behind its ``eval()``.

        Where none comes before it, or something that ends what it says does, its gradients may be wanted as well.
        """
        model = self._called(call.callee)
        modes = self._evaluates | self.program.knowledge.ends_evaluation
        terms = [node.term for node in calls_of(function)]
        said = [(term, term.callee) for term in terms if isinstance(term.callee, Attr) and term.callee.name in modes]
        if isinstance(model, Call) and isinstance(model.callee, Attr) and model.callee.name in self._evaluates:
            said = [(model, model.callee)]  # ``model.eval()(x)``
        own = [each for each in said if each[0] is model or each[1].base is model]
        earlier = [each for each in own if before(function, each[0], call)]
        if not earlier or earlier[-1][1].name not in self._evaluates:
            return True
        loops = loops_around(function, call)
        behind = [loop for loop in loops if not within(function, loop, earlier[-1][0])] or list(loops[-1:])
        asked = [node.term for node in calls_of(function) if last_name(node.term.callee) in self._gradients]
        return any(not behind or within(function, behind[0], each) for each in asked)

    def _output(self, part: Term, frame: Context, models: frozenset[Term]) -> Call | None:
        """A model's call that a value is, or that a loss is computed from."""
        if isinstance(part, Attr) and part.name in self.program.knowledge.loss_attributes:
            part = part.base
        if not isinstance(part, Call):
            return None
        if self._is_model(part.callee, models):
            return part
        if part.args and self.graphs.likely.is_loss(part.callee, frame):
            for inner, where in self.graphs.held(part.args[0], frame):
                if where is frame and isinstance(inner, Call) and self._is_model(inner.callee, models):
                    return inner
        return None

    def _is_model(self, callee: Term, models: frozenset[Term]) -> bool:
        model = self._called(callee)
        return model in models or (
            isinstance(model, Call) and isinstance(model.callee, Attr) and model.callee.name in self._evaluates
        )

    def _called(self, callee: Term) -> Term:
        """The model that is called, without a wrapper around it."""
        unwrapped: Term = callee.base if isinstance(callee, Attr) and callee.name in self.program.knowledge.unwraps else callee
        return unwrapped

    def _records(self, call: Call, frame: Context) -> bool:
        """Whether the call records a graph in every activation of the function, as far as its callers can be seen."""
        if self.program.ask(Within).computes(call, frame):
            return False  # the graph is wanted, and what is left of it has been used
        if self.mode.off_in(self.graphs.index.targets(call, frame)):
            return False
        function = frame.function
        if function.kind != "module" and not self.graphs.index.callers(function):
            return False
        frames = calling_contexts(self.program, frame.module, function)
        return all(self.mode.at(each, call.site) == ON for each in frames)
