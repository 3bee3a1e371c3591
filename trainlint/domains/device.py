"""The device: whether a call gives it work, waits for it, or neither; and which models stay on the host.

Which models stay on the host: they were put there, or nobody has put them anywhere.

What nobody can see counts as waiting: who asks is silent then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol

from trainlint.domains.nn.modules import is_module
from trainlint.flow.objects import Things
from trainlint.flow.roles import Roles, name_of
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Element,
    Global,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    SequenceDisplay,
    Term,
)
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Choice, Function, If, Loop, Statement
from trainlint.ir.terms import all_parts, each_of, parts_of, root_of
from trainlint.ir.walk import choices, walk
from trainlint.knowledge.load import Knowledge
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.def_use import Uses
from trainlint.program.enclosing import surroundings
from trainlint.program.environment import writes
from trainlint.program.imports import imported
from trainlint.program.induction import is_counted
from trainlint.program.library_uses import framework, imports_framework
from trainlint.program.loops import Loops, varies
from trainlint.program.memo import remembered
from trainlint.program.naming import words_in
from trainlint.program.object_identity import Identities, Key
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
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

#: Libraries whose functions move nothing that they are handed, but for wrappers of models.
_QUIET = ("torch.", "builtins.")
_TO, _HOST, _DEVICE = "to", "cpu", "device"


class Placed:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._identities: Identities = program.ask(Identities)
        self._same = knowledge.fluent | knowledge.evaluates | knowledge.ends_evaluation
        self._puts = frozenset(knowledge.tables["accelerators.puts"]["names"])
        self._makes = (knowledge.written["layers"], *knowledge.tables["accelerators.on_host"]["names"])
        self._moved: dict[Key, list[bool]] | None = None

    @remembered(False)
    def on_host(self, term: Term, frame: Context) -> bool:
        """Whether a model surely is on the host in an activation."""
        if isinstance(term, Call) and isinstance(term.callee, Attr):
            told = self._told(term, term.callee.name, frame)
            if told is not None:
                return told
            if term.callee.name in self._same:
                return self.on_host(term.callee.base, frame)
        values = self.program.values(term, frame)
        return bool(values) and all(self._is_value_there(value, term) for value in values)

    def _is_value_there(self, value: Value, term: Term) -> bool:
        if isinstance(value, (Instance, LibraryObject)):
            ours = isinstance(value, Instance) or value.name.startswith(self._makes)
            return ours and value.call is not None and value.frame is not None and self._stays(value.call, value.frame)
        if isinstance(value, Unresolved) and value.term is not term and isinstance(value.term, Call):
            return self.on_host(value.term, value.frame)
        return False

    # -- what is moved ---------------------------------------------------------------------------------------------

    def _told(self, call: Call, name: str, frame: Context) -> bool | None:
        """Whether a method puts its object on the host; False: anywhere else, or who knows where. None: it does not move it."""
        if name == _HOST:
            return True
        if name in self._puts:
            return False
        if name != _TO:
            return None
        given = [*call.args, *(value for key, value in call.kwargs if key == _DEVICE)]
        told = [where for where in (self._where(each, frame) for each in given) if where is not None]
        return all(told) if told else None

    @remembered(False)
    def _where(self, device: Term, frame: Context) -> bool | None:
        """Whether a value names the host; None where it is none of a device, but of a type."""
        found = set[bool | None]()
        for value in self.program.values(device, frame):
            if isinstance(value, Unresolved) and isinstance(value.term, Const) and isinstance(value.term.value, str):
                found.add(value.term.value.partition(":")[0] == _HOST)
            elif isinstance(value, LibraryObject) and value.call is not None and value.frame is not None and value.call.args:
                found.add(self._where(value.call.args[0], value.frame))
            else:
                found.add(
                    None
                    if isinstance(value, Library) or (isinstance(value, Unresolved) and isinstance(value.term, Const))
                    else False
                )
        return found.pop() if len(found) == 1 else False

    def _stays(self, call: Call, frame: Context) -> bool:
        """Whether a model stays where it was made, which is on the host: nothing moves it, nobody out of sight may do so."""
        moves = self._moves().get(self._identities.key(call, frame))
        if moves is not None:
            return all(moves)
        node = next((each for each in calls_of(frame.function) if each.term is call), None)
        if node is None or self._changes_default():
            return False
        use = self.program.ask(Uses).of(frame.module, frame.function, node, called=True)
        moving = self.program.knowledge.parallel
        return not use.escapes and all(name.startswith(_QUIET) and name not in moving for name in use.given)

    def _moves(self) -> dict[Key, list[bool]]:
        """For the models that something moves, whether it is to the host."""
        if self._moved is None:
            self._moved = {}
            for name in (_HOST, _TO, *sorted(self._puts)):
                for site in self.program.ask(CallGraph).sites.get(name, ()):
                    call, callee = site.call.term, site.call.term.callee
                    if not isinstance(callee, Attr):
                        continue
                    for frame in contexts_at(self.program, site):
                        where = self._told(call, callee.name, frame)
                        if where is not None:
                            for key in self._identities.of(callee.base, frame):
                                self._moved.setdefault(key, []).append(where)
        return self._moved

    def _changes_default(self) -> bool:
        """Whether the program says where things are that nobody puts anywhere."""
        sites = self.program.ask(CallGraph).sites
        return any(sites.get(name) for name in self.program.knowledge.tables["accelerators.defaults"]["names"])


#: "moves": the host waits for what was asked for so far, and hands data over; "long": a pass over many batches; "unclear": a
#: function out of sight that is given nothing, which may wait.
Effect = Literal["work", "waits", "moves", "long", "unclear", "nothing"]

#: Methods that put a tensor somewhere; with this keyword the host does not wait for that.
_PUTS = ("to", "cuda")
_NON_BLOCKING = "non_blocking"
#: Kinds of terms that may be a function that nobody sees.
_OUT_OF_SIGHT = frozenset((Param, Ref, Global, LoopPhi))


class Works(Protocol):
    """What is asked about devices that work by themselves, of any library."""

    program: Program
    knowledge: Knowledge
    #: What functions and methods are called, by the last part, that do nothing but wait for the device.
    explicit: frozenset[str]

    def used(self, module: str) -> bool:
        """Whether a file computes on such a device."""

    def elsewhere(self, module: str, function: Function) -> bool:
        """Whether a function computes on another kind of device on purpose."""

    def excludes(self, test: Term, arm: bool, /) -> bool:
        """Whether a test that came out so says that another kind of device is computed on."""

    def effect(self, call: Call, frame: Context) -> Effect:
        """What a call is to the device, in an activation."""

    def computes(self, call: Call, frame: Context) -> bool:
        """Whether a call gives the device work by itself."""

    def holds_result(self, term: Term, frame: Context) -> bool:
        """Whether a term mentions what was computed."""


class Device:
    """Answers for one program, and for the library that is trained with on GPUs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._same = self.knowledge.fluent | self.knowledge.evaluates | self.knowledge.ends_evaluation
        self._others = frozenset(self.knowledge.tables["accelerators.others"]["names"])
        self._drivers = frozenset(self.knowledge.tables["accelerators.drivers"]["names"])
        self._asks = frozenset(self.knowledge.tables["accelerators.asks"]["names"])
        self.explicit = frozenset((self.knowledge.written["synchronize"].rpartition(".")[2],))

    # -- where things run ------------------------------------------------------------------------------------------

    @remembered()
    def used(self, module: str) -> bool:
        """Whether a file computes with the tensor library, and puts things on such a device, or on one that others choose."""
        sketch = self.program.modules[module]
        speaks = self.program.ask_of(imports_framework, sketch) and any(
            self._speaks(call.term) for function in sketch.functions.values() for call in calls_of(function)
        )
        return speaks and not self._blocks(module)

    def _blocks(self, module: str) -> bool:
        """Whether a file sets, whatever happens, that each call waits for the device."""
        table = self.knowledge.tables["accelerators.blocks"]
        return any(
            write.module == module
            and isinstance(write.value, Const)
            and table.get(write.name) == write.value.value
            and not write.led
            for write in self.program.ask(writes)
        )

    @remembered(False)
    def surely(self, module: str) -> bool:
        """Whether a file puts things on such a device, whatever happens."""
        functions = self.program.modules[module].functions.values()
        steps = (node for each in functions for node, led in walk_tested(each.body) if isinstance(node, CallStep) and not led)
        return any(self._puts_there(node.term) for node in steps)

    def _puts_there(self, call: Call) -> bool:
        names = self.knowledge.accelerators
        if isinstance(call.callee, Attr) and call.callee.name in names:
            return True
        given = call.args if last_name(call.callee) in (_TO, _DEVICE) else ()
        told = (*given, *(value for key, value in call.kwargs if key == _DEVICE))
        return any(isinstance(each, Const) and str(each.value).partition(":")[0] in names for each in told)

    @remembered(False)
    def numbered(self, module: str) -> bool:
        """Whether a file puts things on a device by its number, which nobody makes the current one."""
        chooses = self.knowledge.tables["groups"]["chooses"]
        sites = self.program.ask(CallGraph).sites
        if any(self.program.together(site.module, module) for name in chooses for site in sites.get(name.rpartition(".")[2], ())):
            return False
        calls = (call.term for function in self.program.modules[module].functions.values() for call in calls_of(function))
        return any(self._has_number(call) for call in calls)

    def _has_number(self, call: Call) -> bool:
        if isinstance(call.callee, Attr) and call.callee.name in self.knowledge.accelerators and call.args:
            return not isinstance(call.args[0], Const) or call.args[0].value not in (None, 0)
        parts = (part.value for part in parts_of(call) if isinstance(part, Const) and isinstance(part.value, str))
        told = (part.partition(":") for part in parts)
        return any(name in self.knowledge.accelerators and number not in ("", "0") for name, _, number in told)

    def named_in(self, function: Function) -> Iterator[str]:
        """The devices on which a function puts things, as it writes them."""
        for call in calls_of(function):
            callee, given = call.term.callee, call.term.args[:1]
            if isinstance(callee, Attr) and callee.name in _PUTS and given:
                is_device = callee.name != _TO or self.is_chosen(given[0]) or isinstance(given[0], Const)
                named = name_in(given[0], function, constants=True) if is_device else None
                if named is not None:
                    yield named

    def _speaks(self, call: Call) -> bool:
        """Whether a call names the device, as its name or in what it is given."""
        if isinstance(call.callee, Attr) and call.callee.name == _PUTS[0] and any(self.is_chosen(each) for each in call.args):
            return True
        names = self.knowledge.accelerators
        if isinstance(call.callee, (Attr, Ref)) and not names.isdisjoint(call.callee.name.split(".")):
            return True
        given = (*call.args, *(value for _, value in call.kwargs))
        constants = (part.value for part in parts_of(*given) if isinstance(part, Const) and isinstance(part.value, str))
        return any(constant.partition(":")[0] in names for constant in constants)

    def is_chosen(self, term: Term) -> bool:
        """Whether a term goes by the name of a device; that of a model is where the model is, and says nothing."""
        of_model = isinstance(term, Attr) and self._is_called_model(term.base)
        return "device" in name_of(term).lower() and not of_model

    def _is_called_model(self, term: Term) -> bool:
        words = words_in(name_of(term))
        return bool(words) and words[-1] in self.knowledge.model_words and words[0] not in self.knowledge.model_verbs

    def elsewhere(self, module: str, function: Function) -> bool:
        """Whether a function puts something on another device on purpose, or calls a library that has one of its own.

        What drives one for the tensor library itself counts for the whole file.
        """
        if any(name.partition(".")[0] in self._drivers for name in imported(self.program.modules[module])):
            return True
        return any(self._is_elsewhere(call.term) for call in calls_of(function))

    def _is_elsewhere(self, call: Call) -> bool:
        callee = root_of(call.callee)
        if isinstance(callee, Ref) and self.knowledge.canonical(callee.name).partition(".")[0] in self._others:
            return True
        return any(
            isinstance(each, Const) and isinstance(each.value, str) and each.value.partition(":")[0] in self._others
            for each in (*call.args, *(value for _, value in call.kwargs))
        )

    def excludes(self, test: Term, arm: bool) -> bool:
        """Whether a test that came out so says that another kind of device is computed on: ``device_type == "cpu"``."""
        if isinstance(test, Not):
            return self.excludes(test.operand, not arm)
        if isinstance(test, BoolOp):
            one = any if (isinstance(test, And)) == arm else all
            return one(self.excludes(part, arm) for part in test.operands)
        if isinstance(test, (Attr, Param, Global, Call, Ref)):
            asked = test.callee if isinstance(test, Call) else test
            return not arm and last_name(asked) in self._asks and (not isinstance(test, Call) or self._is_about_one(asked))
        if not isinstance(test, Compare) or test.op not in ("Eq", "NotEq"):
            return False
        named = {part.value.partition(":")[0] for part in test.sides if isinstance(part, Const) and isinstance(part.value, str)}
        equal = (test.op == "Eq") == arm
        return not named.isdisjoint(self._others if equal else self.knowledge.accelerators)

    def _is_about_one(self, callee: Term) -> bool:
        """Whether a function asks about such a device: ``torch.cuda.is_available``."""
        return isinstance(callee, Ref) and not self.knowledge.accelerators.isdisjoint(callee.name.split("."))

    # -- one call --------------------------------------------------------------------------------------------------

    @remembered("waits")
    def effect(self, call: Call, frame: Context) -> Effect:
        """What a call is to the device, in an activation."""
        name = last_name(call.callee) or ""
        if isinstance(call.callee, Ref) and call.callee.name.startswith("builtins."):
            return "waits" if name in self.knowledge.reads_values and not all(map(self._is_plain, call.args)) else "nothing"
        if (
            name == "step"
            and isinstance(call.callee, Attr)
            and self.program.ask(Things).of(call.callee.base, frame).kind == "optimizer"
        ):
            return "nothing" if self._updates_host(call.callee.base, frame) else "work"
        targets = self.index.targets(call, frame)
        libraries = [target.name for target in targets if isinstance(target, Library)]
        if any(library.rpartition(".")[2] in self.knowledge.device_waits for library in libraries):
            return "waits"
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        if functions:
            effects = {self._of_function(target, call, frame) for target in functions}
            return effects.pop() if len(effects) == 1 else "waits"
        if any(library in self.knowledge.clocks for library in libraries):
            return "nothing"
        if name in self.knowledge.device_waits:
            return "waits"
        if name in _PUTS and isinstance(call.callee, Attr):
            return self._put(call, call.callee.base, frame)
        return self._named(call, frame, name)

    def _named(self, call: Call, frame: Context, name: str) -> Effect:
        """What is not of the project goes by what it is called, and by what it is given."""
        if name in self.knowledge.backward:
            return "nothing" if self._is_of_host(call, frame) else "work"
        if name == "step" and isinstance(call.callee, Attr):
            return self._step(call.callee.base, frame)
        if self.computes(call, frame):
            model = self._model_of(call, frame)
            if self.program.ask(Placed).on_host(model, frame):
                return "nothing"
            return "waits" if any(map(self._waits_inside, self._modules(model, frame))) else "work"
        if not self._is_harmless(call, frame, name):
            return "waits"
        return (
            "unclear"
            if type(call.callee) in _OUT_OF_SIGHT and not call.args and not call.kwargs and self._is_strange(call)
            else "nothing"
        )

    def _is_strange(self, call: Call) -> bool:
        """Whether nobody knows what a call runs: what is handed over, or is of a package that the tables do not speak of."""
        if not isinstance(call.callee, Ref):
            return True
        package = call.callee.name.partition(".")[0]
        return package != framework(self.program) and package not in self.knowledge.harmless_packages

    def _step(self, stepped: Term, frame: Context) -> Effect:
        """A step of something else than an optimizer: a scaler looks first whether the gradients are finite."""
        return "nothing" if self.program.ask(Things).of(stepped, frame).kind == "scheduler" else "waits"

    def computes(self, call: Call, frame: Context) -> bool:
        """Whether a call is the forward pass of a model, by its class or by its name."""
        return any(self._is_model(self._unmoved(each), frame) for each in each_of(self._model_of(call, frame)))

    def _is_model(self, callee: Term, frame: Context) -> bool:
        if not isinstance(callee, (Access, Element, Param, Global, LoopPhi, Call)):
            return False
        thing = self.program.ask(Things).of(callee, frame)
        if thing.kind not in ("module", "unknown") or any(isinstance(value, ClassValue) for value in thing.values):
            return False  # something else, or a model is made
        known = (thing.kind == "module" and thing.sure) or self._is_called_model(callee)
        known = known or self.program.ask(Things).is_called_model(callee, frame)
        return known or any(True for _ in self._modules(callee, frame))

    def _is_of_host(self, call: Call, frame: Context) -> bool:
        """Whether the passes that what is called on, or given, was computed by are those of models on the host."""
        given = (call.callee.base, *call.args) if isinstance(call.callee, Attr) else call.args
        passes = {part for part in parts_of(*given) if isinstance(part, Call) and self.computes(part, frame)}
        return bool(passes) and all(self.program.ask(Placed).on_host(self._model_of(each, frame), frame) for each in passes)

    def _updates_host(self, optimizer: Term, frame: Context) -> bool:
        """Whether an optimizer has the parameters of a model on the host."""
        made = self.program.ask(Things).of(optimizer, frame).made or ()
        for one in made:
            given = one.call.args[:1] if one.call is not None else ()
            if one.frame is None or not given or not isinstance(given[0], Call) or not isinstance(given[0].callee, Attr):
                return False
            hands = given[0].callee.name in self.knowledge.hands_parameters
            if not hands or not self.program.ask(Placed).on_host(given[0].callee.base, one.frame):
                return False
        return bool(made)

    def _model_of(self, call: Call, frame: Context) -> Term:
        """What is run by a call: ``model`` of ``model(x)``, ``model.forward(x)`` and ``model.eval()(x)``."""
        callee: Term = call.callee
        if isinstance(callee, Attr) and callee.name in self.knowledge.passes:
            callee = callee.base
        return self._unmoved(local_origin(self.program, self._unmoved(callee), frame))

    def _unmoved(self, callee: Term) -> Term:
        while isinstance(callee, Call) and isinstance(callee.callee, Attr) and callee.callee.name in self._same:
            callee = callee.callee.base
        return callee

    def _modules(self, term: Term, frame: Context) -> Iterator[Instance]:
        """The objects of classes of modules that a term may be, wherever they were put: ``Net().to(device)``."""
        for value in innermost(self.program, self.program.values(term, frame), self._put_somewhere):
            if isinstance(value, Instance) and is_module(self.program, value):
                yield value

    def _put_somewhere(self, value: Value) -> list[Argument] | None:
        """Of what a method of a model gave back, the model."""
        if isinstance(value, Unresolved) and isinstance(value.term, Call):
            callee = value.term.callee
            return [Argument(callee.base, value.frame)] if isinstance(callee, Attr) and callee.name in self._same else None
        return None

    def _waits_inside(self, model: Instance) -> bool:
        """Whether the forward pass of a model of the project makes the host wait."""
        method = self.program.method(ClassValue(model.module, model.cls), "forward")
        return method is not None and self.program.ask(Loops).function_says(*method, self.knowledge.device_waits)

    def _is_harmless(self, call: Call, frame: Context, name: str) -> bool:
        """Whether a call cannot wait: nothing that was computed is given to it, or the tensor library takes it on."""
        package = f"{framework(self.program)}."
        if any(
            isinstance(value, Library) and value.name.startswith(package) for value in self.program.values(call.callee, frame)
        ):
            return True
        if isinstance(call.callee, Attr) and (name in self.knowledge.tensor_methods or name in self.knowledge.cuts_graph):
            return True
        if any(word in name.lower() for word in self.knowledge.loss_words) or self.program.ask(Roles).is_loss(frame.module, call):
            return True
        given = (*call.args, *(value for _, value in call.kwargs))
        if isinstance(call.callee, Attr) and self.holds_result(call.callee.base, frame):
            return False
        if not isinstance(call.callee, Ref) or call.callee.name.partition(".")[0] not in self.knowledge.harmless_packages:
            return not any(self._is_part(each, frame) for each in given)
        return not any(self.holds_result(each, frame) for each in given)

    def _is_part(self, term: Term, frame: Context) -> bool:
        """Whether a term is a model or an optimizer, or holds what was computed."""
        kind = self.program.ask(Things).of(term, frame).kind
        return kind != "unknown" or self._is_called_model(term) or self.holds_result(term, frame)

    def holds_result(self, term: Term, frame: Context) -> bool:
        """Whether a term mentions what a model has computed."""
        calls = (part for part in all_parts(term) if isinstance(part, Call))
        return any(self.computes(call, frame) or self._is_norm(call, frame) for call in calls)

    def _is_norm(self, call: Call, frame: Context) -> bool:
        """Whether a call clips gradients: it returns their norm, a tensor beside them (torch 2.9, ``clip_grad_norm_``)."""
        names = self.knowledge.tables["parallel.plain_clips"]["names"]
        return self.program.may_be_one_of(call.callee, frame, names)

    def _is_plain(self, term: Term) -> bool:
        """Whether a value cannot be on the device: a constant, a text, what a clock said, arithmetic of these."""
        if isinstance(term, Call):
            name = term.callee.name if isinstance(term.callee, Ref) else ""
            return name in self.knowledge.clocks or name in ("builtins.len", "builtins.str", "builtins.int", "builtins.range")
        if isinstance(term, (Const, Ref, Nested, NestedClass)):
            return True
        if isinstance(term, (BinOp, SequenceDisplay)):
            parts = term.sides if isinstance(term, BinOp) else term.items
            return all(self._is_plain(part) for part in parts)
        return False

    def _put(self, call: Call, moved: Term, frame: Context) -> Effect:
        """Data that go to the device or come from it; a change of type gives it work that nobody asks about."""
        given = (*call.args, *(value for _, value in call.kwargs))
        if any(isinstance(part, Const) and part.value == "cpu" for part in given):
            return "waits"
        if any(name == _NON_BLOCKING and isinstance(value, Const) and value.value is True for name, value in call.kwargs):
            return "nothing"
        if self.holds_result(moved, frame):
            return "waits"
        return "moves"

    # -- functions of the project ----------------------------------------------------------------------------------

    def _of_function(self, target: FunctionValue, call: Call, frame: Context) -> Effect:
        waits = self.knowledge.device_waits
        owner = target.receiver if target.function.name in ("forward", "__call__") else None
        if isinstance(owner, Instance) and is_module(self.program, owner):
            inside = self.program.ask(Loops).function_says(target.module, target.function, waits)
            if self.program.ask(Placed).on_host(self._model_of(call, frame), frame):
                return "nothing"
            return "waits" if inside else "work"
        if target.function.name == "__init__":
            return "waits" if calls_of(target.function) else "nothing"  # it keeps what it is given
        return effect_of(self, target, call, frame)


def effect_of(asked: Works, target: FunctionValue, call: Call, frame: Context) -> Effect:
    """What a function of the project is to the device where it is called: the strongest of what it does."""
    if not frame.follows(target.function):
        return "waits"
    inner, effects = asked.program.enter(target, call, frame), set[Effect]()
    for node, place in asked.program.ask_of(surroundings, target.function).places:
        effect = asked.effect(node.term, inner)
        if effect == "work" and any(each.kind == "for" and not is_counted(each) for each in place.loops):
            return "long"
        effects.add(effect)
    if any(reads_result(asked, node, inner) for node in (*walk(target.function.body), *choices(target.function))):
        effects.add("waits")
    order: tuple[Effect, ...] = ("long", "waits", "work", "moves", "unclear")
    return next((strongest for strongest in order if strongest in effects), "nothing")


def on_the_same_data(program: Program, loop: Loop, frame: Context) -> bool:
    """Whether each round of a loop passes the same data through models: such a round is no step of many, but an epoch of one."""
    asked = program.ask(Device)
    passes = [node for node in walk(loop.body) if isinstance(node, CallStep) and asked.computes(node.term, frame)]
    return bool(passes) and not any(varies(program, node, frame.function, loop) for node in passes)


def reads_result(asked: Works, node: Statement, frame: Context) -> bool:
    """Whether a branch or a loop asks about what a model has computed: Python waits for the value."""
    if not isinstance(node, (If, Choice, Loop)):
        return False
    test = node.subject if isinstance(node, Loop) else node.condition
    return not _is_identity(test) and asked.holds_result(test, frame)


def _is_identity(test: Term) -> bool:
    while isinstance(test, Not):
        test = test.operand
    return isinstance(test, Compare) and test.op in ("Is", "IsNot", "In", "NotIn")
