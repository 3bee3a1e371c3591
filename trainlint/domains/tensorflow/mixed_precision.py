"""Mixed precision in TensorFlow: where float16 is asked for, outputs in it, losses in it that nobody scales.

Where a program asks TensorFlow to compute in float16: the policy of Keras for all layers, or the rewriting of
graphs.

Outputs of models that are trained in float16 under a policy of Keras: the layer that computes them was not told
otherwise.

Losses of models in float16 that somebody differentiates by hand and nobody scales: small gradients become 0.

``compile`` and ``fit`` of Keras scale by themselves (their own ``train_step`` does). A loop with a tape has to ask
the optimizer for the scaled loss, and a ``LossScaleOptimizer`` of Keras 3 divides by the scale whether somebody did
or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.precision.loss_scaling import Scaling
from trainlint.domains.tensorflow.gradient_tapes import Gradient, applied, gradients
from trainlint.domains.tensorflow.model_outputs import Head, Outputs
from trainlint.edits.changes import Change, InsertAfter, Rewrite, Together
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Compare, Const, Dict, Global, Nested, Param, Ref, Select, Term
from trainlint.ir.order import is_step
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, With
from trainlint.ir.terms import closure, is_none, parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.consteval import constant_of
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.heap import holds_none
from trainlint.program.leading import Leading, Leads
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import innermost
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)


class Half(NamedTuple):
    """A call that asks for float16, and the functions that lead to it.

    ``rewrites``: graphs are rewritten, and layers know nothing of it.
    """

    module: str
    function: Function
    node: CallStep
    leading: Leads
    rewrites: bool

    def holds(self, leading: Leads) -> bool:
        """Whether what these functions lead to runs in a program that asks so: one function leads to both.

        What is asked at the top level of a file holds for all of its functions.
        """
        if not leading.keys().isdisjoint(self.leading):
            return True
        return self.function.kind == "module" and any(each.module == self.module for each in leading.values())


def halves(program: Program) -> list[Half]:
    """All such calls in a program (looked for once)."""
    return list(_halves(program))


def _halves(program: Program) -> Iterator[Half]:
    table = program.knowledge.tables["tensorflow"]
    sets, rewrites = frozenset(table["sets_policy"]), frozenset(table["rewrites"])
    index = program.ask(CallGraph)
    for name in sorted({dotted.rpartition(".")[2] for dotted in sets | rewrites}):
        for site in index.sites.get(name, ()):
            if tests_software(program, site.module, site.function) or not site.call.term.args:
                continue
            called = {
                value.name
                for value in program.values(site.call.term.callee, program.frame(site.module, site.function))
                if isinstance(value, Library)
            }
            if called.isdisjoint(sets | rewrites):
                continue
            leading: Leads = {}
            for frame in contexts_at(program, site):
                if _asks(program, site.call.term.args[0], frame, rewrites=not called.isdisjoint(rewrites)):
                    leading.update(program.ask(Leading).to_activation(frame))
            if leading:
                yield Half(site.module, site.function, site.call, leading, not called.isdisjoint(rewrites))


def _asks(program: Program, given: Term, frame: Context, *, rewrites: bool) -> bool:
    table = program.knowledge.tables["tensorflow"]
    if not rewrites:
        return not policies(program, given, frame).isdisjoint(table["half"])
    for value in program.values(given, frame):
        if isinstance(value, Unresolved) and isinstance(value.term, Dict):
            for key, switched in value.term.items:
                if key is not None and isinstance(key, Const) and key.value in table["rewritten"]:
                    return not (isinstance(switched, Const) and not switched.value)
    return False


def policies(program: Program, given: Term, frame: Context) -> set[str]:
    """The names of the policies that a term may stand for: the name itself, or a policy made of it."""
    made = program.knowledge.tables["tensorflow"]["policies"]

    def around(value: Value) -> list[Argument] | None:
        if not isinstance(value, LibraryObject) or value.call is None or value.frame is None or value.name not in made:
            return None
        named = value.call.args[:1] or tuple(term for name, term in value.call.kwargs if name == "name")
        return [Argument(term, value.frame) for term in named[:1]]

    names = (constant_of(value) for value in innermost(program, program.values(given, frame), around))
    return {name.value for name in names if name is not None and isinstance(name.value, str)}


_DTYPE, _STEP = "dtype", "train_step"


class Narrow(NamedTuple):
    """A layer that computes an output in float16 (``last``), or a softmax that is kept from bfloat16 only."""

    module: str
    node: CallStep
    half: Half
    last: bool


def narrow(program: Program) -> Iterator[Narrow]:
    """Each such layer, where it is made."""
    asked = [half for half in program.ask(halves) if not half.rewrites]
    if not asked:
        return
    seen: set[tuple[str, Spot]] = set()
    for module, node, half, last in (*_last_layers(program, asked), *_half_kept(program, asked)):
        if (module, node.term.site) not in seen:
            seen.add((module, node.term.site))
            yield Narrow(module, node, half, last)


def _last_layers(program: Program, asked: list[Half]) -> Iterator[tuple[str, CallStep, Half, bool]]:
    table = program.knowledge.tables["tensorflow"]
    outer = program.ask(Outputs)
    for half, model in _trained(program, asked):
        heads = outer.of_model(model)
        for head in heads:
            if (
                head is not None
                and head.layer
                and head.name in (*table["projects"], *table["activates"])
                and _is_narrow(program, head)
            ):
                node = next((each for each in calls_of(head.frame.function) if each.term is head.call), None)
                if node is not None and not tests_software(program, head.frame.module, head.frame.function):
                    yield head.frame.module, node, half, True


def _trained(program: Program, asked: list[Half]) -> Iterator[tuple[Half, Value]]:
    """The models that are trained in runs that ask for float16."""
    table = program.knowledge.tables["tensorflow"]
    index = program.ask(CallGraph)
    for name in table["fits"]:
        for site in index.sites.get(name, ()):
            if isinstance(site.call.term.callee, Attr):
                yield from _models(program, asked, site.module, site.function, site.call.term.callee.base)
    for gradient in program.ask(gradients):
        if not applied(program, gradient) or gradient.sources is None or _casts(program, gradient.module, gradient.function):
            continue
        for part in parts_of(gradient.sources):
            if isinstance(part, Attr) and part.name in table["variables_of"]:
                yield from _models(program, asked, gradient.module, gradient.function, part.base)


def _models(program: Program, asked: list[Half], module: str, function: Function, term: Term) -> Iterator[tuple[Half, Value]]:
    if tests_software(program, module, function):
        return
    leading = program.ask(Leading).to(function, loosely=True)
    half = next((each for each in asked if each.holds(leading)), None)
    if half is None:
        return
    for frame in calling_contexts(program, module, function):
        for value in program.values(term, frame):
            if isinstance(value, LibraryObject) or (isinstance(value, Instance) and not _casts_in_step(program, value)):
                yield half, value


def _casts_in_step(program: Program, model: Instance) -> bool:
    """Whether a model has a step of its own for ``fit`` that turns something into float32."""
    method = program.method(ClassValue(model.module, model.cls), _STEP)
    return method is not None and _casts(program, *method)


def _casts(program: Program, module: str, function: Function) -> bool:
    """Whether a step, or what it calls, turns something into float32 itself."""
    names = program.knowledge.tables["tensorflow"]["casts"]
    near = _run_by(program, module, function)
    return any(
        isinstance(node.term.callee, (Ref, Attr)) and node.term.callee.name.rpartition(".")[2] in names
        for _, each in near.values()
        for node in calls_of(each)
    )


def _is_narrow(program: Program, head: Head) -> bool:
    """Whether nobody tells a layer its type: neither by name nor by arguments that nobody sees."""
    if any(name is None for name, _ in head.call.kwargs):
        return False
    given = head.argument(_DTYPE)
    if given is None:
        return True
    values = program.values(given, head.frame)
    return all(holds_none(value) for value in values)


def _half_kept(program: Program, asked: list[Half]) -> Iterator[tuple[str, CallStep, Half, bool]]:
    """A softmax that is float32 under the policy of bfloat16 and left alone under that of float16."""
    table = program.knowledge.tables["tensorflow"]
    for dotted in table["activates"]:
        for site in program.ask(CallGraph).sites.get(dotted.rpartition(".")[2], ()):
            given = next((value for name, value in site.call.term.kwargs if name == _DTYPE), None)
            if given is None or not isinstance(given, Select) or tests_software(program, site.module, site.function):
                continue
            frame = program.frame(site.module, site.function)
            called = program.values(site.call.term.callee, frame)
            if not any(isinstance(value, Library) and value.name == dotted for value in called):
                continue
            condition, otherwise = given.test, given.other
            half = next((each for each in asked if program.together(each.module, site.module)), asked[0])
            names = [part.value for part in parts_of(condition) if isinstance(part, Const)]
            plain = isinstance(condition, Compare) and condition.op == "Eq" and any(name in table["bfloat16"] for name in names)
            if plain and is_none(otherwise):
                yield site.module, site.call, half, False


_DISPLAY = Applicability.DISPLAY


class Unscaled(NamedTuple):
    """A plain loss of a model in float16. ``scaler`` is what would scale, where the program makes it: file and call."""

    module: str
    function: Function
    node: CallStep
    loss: Term
    half: Half
    scaler: tuple[str, CallStep] | None
    gradient: Gradient | None
    applied: CallStep | None


def unscaled(program: Program) -> Iterator[Unscaled]:
    """Each such gradient of a tape, and each optimizer that computes gradients by itself of such a loss."""
    asked = program.ask(halves)
    if not asked:
        return
    for gradient in program.ask(gradients):
        module, function = gradient.module, gradient.function
        if tests_software(program, module, function):
            continue
        uses = applied(program, gradient)
        half = _half_of(program, function, asked) if uses else None
        if half is None or _is_scaled(program, module, function, gradient.loss):
            continue
        scaler = _scaler(program, {**program.ask(Leading).to(function, loosely=True), **half.leading})
        yield Unscaled(module, function, gradient.node, gradient.loss, half, scaler, gradient, uses[0])
    yield from _minimized(program, asked)


def _half_of(program: Program, function: Function, asked: list[Half]) -> Half | None:
    """The request for float16 that holds where a function runs."""
    leading = program.ask(Leading).to(function, loosely=True)
    return next((half for half in asked if half.holds(leading)), None)


def _is_scaled(program: Program, module: str, function: Function, loss: Term) -> bool:
    """Whether somebody may take care of the scale of a loss; doubt counts as yes."""
    by_hand = program.ask(Scaling).by_hand
    if any(by_hand(loss, frame) for frame in calling_contexts(program, module, function)):
        return True
    near = _run_by(program, module, function)
    around = program.modules[module].functions.get(function.outer or "")
    if around is not None:
        near[id(around)] = (module, around)
    cls = program.modules[module].classes.get(function.cls or "")
    for qualname in cls.methods.values() if cls is not None else ():
        method = program.modules[module].functions[qualname]
        near[id(method)] = (module, method)
    for site in program.ask(CallGraph).callers(function):
        near[id(site.function)] = (site.module, site.function)
    table = program.knowledge.tables["tensorflow"]
    if any(not _names(each).isdisjoint(table["scales"]) for _, each in near.values()):
        return True
    return any(word in name.lower().replace("_", "") for name in _names(function) for word in table["scale_words"])


def _run_by(program: Program, module: str, function: Function) -> dict[int, tuple[str, Function]]:
    """The functions (by id, each with its file) that a function runs, itself and those defined in it among them."""

    def inside(at: tuple[str, Function]) -> Iterator[tuple[str, Function]]:
        path, current = at
        yield from ((path, each) for each in program.modules[path].functions.values() if each.outer == current.qualname)
        for node in calls_of(current):
            for target in program.ask(CallGraph).targets(node.term, program.frame(path, current)):
                if isinstance(target, FunctionValue):
                    yield target.module, target.function

    return {id(each): (path, each) for path, each in closure(((module, function),), inside)}


def _names(function: Function) -> set[str]:
    """What is mentioned in a function: callees, attributes, keywords, parameters; not in what was made around it."""
    found: set[str] = set(held_at_end(function))
    seen: set[Term] = set()
    for node in statements_of(function):
        pending = list(node.items) if isinstance(node, With) else [part for part in node if isinstance(part, Term)]
        while pending:
            part = pending.pop()
            if part in seen or (isinstance(part, Call) and function.kind != "module" and not is_step(function, part)):
                continue
            seen.add(part)
            pending += part.subterms()
            if isinstance(part, Call):
                found.update(name for name, _ in part.kwargs if name is not None)
            elif isinstance(part, (Attr, Param)):
                found.add(part.name)
            elif isinstance(part, (Ref, Global, Nested)):
                found.add(part.name.rpartition(".")[2])
    return found


def _scaler(program: Program, leading: Leads) -> tuple[str, CallStep] | None:
    """A call among those of these functions that makes an optimizer which scales."""
    for name in program.knowledge.tables["tensorflow"]["scalers"]:
        for site in program.ask(CallGraph).sites.get(name.rpartition(".")[2], ()):
            if id(site.function) in leading:
                return site.module, site.call
    return None


def _minimized(program: Program, asked: list[Half]) -> Iterator[Unscaled]:
    """``optimizer.minimize(loss)`` and the like, of an optimizer that surely scales nothing."""
    table = program.knowledge.tables["tensorflow"]
    index = program.ask(CallGraph)
    seen: set[int] = set()
    for name in table["minimizes"]:
        for site in index.sites.get(name, ()):
            call, function = site.call.term, site.function
            if (
                not isinstance(call.callee, Attr)
                or not call.args
                or id(function) in seen
                or tests_software(program, site.module, function)
            ):
                continue
            made = program.values(call.callee.base, program.frame(site.module, function))
            known = [
                value for value in made if isinstance(value, LibraryObject) and value.name.startswith(tuple(table["optimizers"]))
            ]
            if not known or len(known) < len(made) or any(value.name in table["scalers"] for value in known):
                continue
            half = _half_of(program, function, asked)
            leading = program.ask(Leading).to(function, loosely=True)
            if half is None or half.rewrites or _scaler(program, leading) is not None or _is_rewritten(program, leading):
                continue
            if not _is_scaled(program, site.module, function, call.args[0]):
                seen.add(id(function))
                yield Unscaled(site.module, function, site.call, call.args[0], half, None, None, None)


def scaled(found: Unscaled) -> Change | None:
    """The optimizer asked for the scaled loss, at the end of what the tape watches, where all of that is written there."""
    if found.gradient is None or found.applied is None or found.gradient.watched is None:
        return None
    callee = found.applied.term.callee
    optimizer = name_in(callee.base, found.function) if isinstance(callee, Attr) else None
    loss = name_in(found.loss, found.function)
    made = next((node for node in calls_of(found.function) if node.term is found.loss), None)
    top = [node.statement for node in found.gradient.watched.body if isinstance(node, CallStep)]
    if optimizer is None or loss is None or made is None or made.statement not in top:
        return None
    message = "Differentiate the scaled loss"
    insert = InsertAfter(_DISPLAY, message, statement=made.statement, code=f"scaled = {optimizer}.scale_loss({loss})")
    paths = ((("receiver", 0),), (("arguments", 1),))
    use = Rewrite(_DISPLAY, message, spot=found.node.term.site, code="{0}.gradient(scaled{,1})", paths=paths)
    return Together(_DISPLAY, message, changes=(insert, use))


def _is_rewritten(program: Program, leading: Leads) -> bool:
    """Whether some of these functions let a library wrap the optimizer."""
    names = program.knowledge.tables["tensorflow"]["wraps_optimizer"]
    return any(not _names(each.function).isdisjoint(names) for each in leading.values())
