"""Outputs of models of Keras: what is computed last, and losses that expect logits or probabilities and get the other.

What a model of Keras computes last of each of its outputs: which layer, or which function of TensorFlow.

Where somebody cannot be followed (a layer of another library, a loop over layers), there is no answer, and who asks
is silent.

Losses that take a model's raw output for probabilities, or its probabilities for raw output.

TensorFlow behind Keras looks through a softmax that comes before a loss of raw output, warns and computes the right
thing; JAX and torch do not, and neither do the functions of ``tf.nn`` (Keras 3.15, run). The reverse no backend can
mend.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from trainlint.domains.tensorflow.training_flag import Moded
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Select, SequenceDisplay, Term
from trainlint.ir.sketch import CallStep
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.environment import writes
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import (
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
    names_class,
)

_OUTPUTS, _CALL, _ADD = "outputs", "call", "add"


class Head(NamedTuple):
    """What computes an output: a layer of Keras (``layer``: the call that made it), or else a function.

    ``given`` is what the layer is applied to, in the activation ``where``, if that is in sight.
    """

    name: str
    call: Call
    frame: Context
    layer: bool
    given: Term | None = None
    where: Context | None = None

    def argument(self, keyword: str, position: int | None = None) -> Term | None:
        """What the call is given for a parameter."""
        named = next((value for name, value in self.call.kwargs if name == keyword), None)
        if named is None and position is not None and len(self.call.args) > position:
            given: Term = self.call.args[position]
            return given
        return named


class Outputs:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        table = program.knowledge.tables["tensorflow"]
        #: What is looked into: what a model returns may lead back to it.
        self._within: set[tuple[Term, Context]] = set()
        self._layers = tuple(table["layers"])
        self._same = frozenset(table["rearranges"])
        self._functions = tuple(table["functions"])

    def of_model(self, value: Value) -> list[Head | None]:
        """The heads of a model's outputs; None for one that nobody can follow."""
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            if value.name == self.program.knowledge.tables["tensorflow"]["sequences"][0]:
                return self._last_of_sequence(value.call, value.frame)
            named = dict(value.call.kwargs)
            given = named.get(_OUTPUTS, value.call.args[1] if len(value.call.args) > 1 else None)
            return list(self._of(given, value.frame)) if given is not None else [None]
        if isinstance(value, Instance):
            return list(self._of_object(value))
        return [None]

    def of_term(self, term: Term, frame: Context) -> list[Head | None]:
        """The heads of what a term stands for: a result of a model, or what was computed of one."""
        return list(self._of(term, frame))

    def _last_of_sequence(self, call: Call, frame: Context) -> list[Head | None]:
        added = [
            node.term
            for node in calls_of(frame.function)
            if isinstance(node.term.callee, Attr)
            and node.term.callee.base is call
            and node.term.callee.name == _ADD
            and node.term.args
        ]
        if added:
            return [self._last([each.args[0] for each in added], frame)]
        given = call.args[0] if call.args else None
        for value in self.program.values(given, frame) if given is not None else ():
            if isinstance(value, Unresolved) and isinstance(value.term, SequenceDisplay) and value.term.items:
                return [self._last(value.term.items, value.frame)]
        return [None]

    def _last(self, layers: Sequence[Term], frame: Context) -> Head | None:
        """The last layer of several that computes something."""
        for layer in reversed(layers):
            made = self._made(layer, frame)
            if made is None or made.name not in self._same:
                return made
        return None

    def _made(self, layer: Term, frame: Context) -> Head | None:
        """The layer that an item of a sequence is."""
        values = self.program.values(layer, frame)
        if len(values) == 1 and isinstance(values[0], LibraryObject) and values[0].name.startswith(self._layers):
            made = values[0]
            return (
                Head(made.name, made.call, made.frame, layer=True) if made.call is not None and made.frame is not None else None
            )
        return None

    def _of(self, term: Term, frame: Context) -> Iterator[Head | None]:
        if (term, frame) in self._within:
            yield None
            return
        self._within.add((term, frame))
        found = [*self._of_now(term, frame)]
        self._within.discard((term, frame))
        yield from found

    def _of_now(self, term: Term, frame: Context) -> Iterator[Head | None]:
        if isinstance(term, SequenceDisplay):
            for part in term.items:
                yield from self._of(part, frame)
        elif isinstance(term, Dict):
            for _, part in term.items:
                yield from self._of(part, frame) if part is not None else (None,)
        elif isinstance(term, Select):
            for part in term.arms:
                yield from self._of(part, frame)
        elif isinstance(term, Call):
            yield from self._of_call(term, frame)
        else:
            for value in self.program.values(term, frame):
                if (
                    isinstance(value, LibraryObject)
                    and value.call is not None
                    and value.frame is not None
                    and value.call is not term
                ):
                    yield from self._of_call(value.call, value.frame)
                elif isinstance(value, Unresolved) and value.term is not term and isinstance(value.term, (Call, SequenceDisplay)):
                    yield from self._of(value.term, value.frame)
                else:
                    yield None

    def _of_call(self, call: Call, frame: Context) -> Iterator[Head | None]:
        callees = self.program.values(call.callee, frame)
        for callee in callees:
            if isinstance(callee, LibraryObject) and callee.call is not None and callee.frame is not None:
                if callee.name in self._same and call.args:
                    yield from self._of(call.args[0], frame)
                elif callee.name.startswith(self._layers):
                    given = call.args[0] if call.args else None
                    yield Head(callee.name, callee.call, callee.frame, layer=True, given=given, where=frame)
                elif self.program.ask(Moded).is_model(callee):
                    yield from self.of_model(callee)
                else:
                    yield None
            elif isinstance(callee, Library):
                known = callee.name.startswith(self._functions)
                yield Head(callee.name, call, frame, layer=False) if known else None
            elif isinstance(callee, FunctionValue) and not callee.function.generator and frame.follows(callee.function):
                inner = self.program.enter(callee, call, frame)
                returned = self.program.returns(callee.function)
                for value in returned:
                    yield from self._of(value, inner)
                if not returned:
                    yield None
            elif isinstance(callee, Instance):
                yield from self._of_object(callee)
            else:
                yield None

    def _of_object(self, value: Instance) -> Iterator[Head | None]:
        """What the ``call`` of an object of the project returns."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, _CALL) if self.program.ask(Moded).is_of_keras(cls) else None
        if method is None:
            yield None
            return
        frame = self.program.instance_frame(value, *method)
        for term in self.program.returns(method[1]):
            yield from self._of(term, frame)


_COMPILE, _LOSS, _FROM_LOGITS, _PREDICTED, _LOGITS = "compile", "loss", "from_logits", "y_pred", "logits"
_ACTIVATION, _STEP = "activation", "train_step"
Kind = Literal["raw", "twice"]


class Loss(NamedTuple):
    """A loss of a library: ``squash`` is what it takes for granted, or applies itself (``from_logits``; None: nobody knows)."""

    name: str
    squash: str
    from_logits: bool | None
    call: Call | None
    frame: Context | None


class Mismatch(NamedTuple):
    """A loss and an output that do not fit: ``node`` is the loss (its construction), or the call that names it.

    ``loss`` is its name; ``text``: it was named by a text, which ``instead`` would be written for.
    """

    module: str
    node: CallStep
    kind: Kind
    loss: str
    squash: str
    head: Head
    use: tuple[str, Spot]
    text: bool
    instead: str | None


def mismatches(program: Program) -> Iterator[Mismatch]:
    """Each loss that does not fit the output it is given."""
    seen: set[tuple[str, Spot]] = set()
    asked = _Losses(program)
    for found in (*asked.compiled(), *asked.called()):
        key = (found.module, found.node.term.site)
        if key not in seen:
            seen.add(key)
            yield found


class _Losses:
    """Finds losses and what they are given."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["tensorflow"]
        self.known: dict[str, str] = dict(program.knowledge.tables["tensorflow.losses"])
        self.named = {name.rpartition(".")[2]: name for name in self.known}
        self.outputs = program.ask(Outputs)

    def compiled(self) -> Iterator[Mismatch]:
        """``model.compile(loss=…)``."""
        for site in self.program.ask(CallGraph).sites.get(_COMPILE, ()):
            call = site.call.term
            given = next((value for name, value in call.kwargs if name == _LOSS), None)
            if not isinstance(call.callee, Attr) or given is None or tests_software(self.program, site.module, site.function):
                continue
            for frame in contexts_at(self.program, site):
                models = self.program.values(call.callee.base, frame)
                if len(models) != 1 or not self.program.ask(Moded).is_model(models[0]) or self._steps(models[0]):
                    continue
                heads = self.outputs.of_model(models[0])
                losses = list(self._losses(given, frame))
                if len(heads) == 1 and len(losses) == 1 and losses[0] is not None:
                    yield from self._compared(losses[0], heads, site.module, site.call)

    def _steps(self, model: object) -> bool:
        """Whether a model has a step of its own, which may do something with the output first."""
        return isinstance(model, Instance) and (
            self.program.method(ClassValue(model.module, model.cls), _STEP) is not None
            or self.program.method(ClassValue(model.module, model.cls), _COMPILE) is not None
        )

    def _losses(self, given: Term, frame: Context) -> Iterator[Loss | None]:
        for value in self.program.values(given, frame):
            if isinstance(value, Unresolved) and isinstance(value.term, Const) and value.term.value in self.named:
                name = self.named[value.term.value]
                yield Loss(name, self.known[name].split()[0], False, None, None)
            elif (
                isinstance(value, LibraryObject)
                and value.name in self.known
                and value.call is not None
                and value.frame is not None
            ):
                yield self._made(value.name, value.call, value.frame)
            elif isinstance(value, Library) and value.name in self.known:
                yield Loss(value.name, self.known[value.name].split()[0], False, None, None)
            else:
                yield None

    def _made(self, name: str, call: Call, frame: Context) -> Loss:
        squash, how = self.known[name].split()
        return Loss(name, squash, True if how == _LOGITS else self._flag(call, int(how), frame), call, frame)

    def _flag(self, call: Call, position: int, frame: Context) -> bool | None:
        given = next((value for name, value in call.kwargs if name == _FROM_LOGITS), None)
        if given is None and len(call.args) > position:
            given = call.args[position]
        if given is None:
            return None if any(name is None for name, _ in call.kwargs) else False
        values = self.program.values(given, frame)
        known = {
            value.term.value if isinstance(value, Unresolved) and isinstance(value.term, Const) else None for value in values
        }
        return bool(known.pop()) if len(known) == 1 and None not in known else None

    def called(self) -> Iterator[Mismatch]:
        """``loss(labels, output)`` of an object that was made before, and functions."""
        objects = {name for name, how in self.known.items() if names_class(name)}
        for path, function in self.program.functions():
            nodes = [node for node in calls_of(function) if self._may_be_loss(node.term)]
            if not nodes or not self._keeps_loss(path) or tests_software(self.program, path, function):
                continue
            for node in nodes:
                for frame in calling_contexts(self.program, path, function):
                    for value in self.program.values(node.term.callee, frame):
                        loss, given = None, None
                        if (
                            isinstance(value, LibraryObject)
                            and value.name in objects
                            and value.call is not None
                            and value.frame is not None
                        ):
                            loss, given = self._made(value.name, value.call, value.frame), self._predicted(node.term)
                        elif isinstance(value, Library) and value.name in self.known and value.name not in objects:
                            loss, given = self._made(value.name, node.term, frame), self._predicted(node.term)
                        if loss is not None and given is not None:
                            yield from self._compared(loss, self.outputs.of_term(given, frame), path, node)

    def _may_be_loss(self, call: Call) -> bool:
        """Whether a call has labels and an output, and a name by which people call losses."""
        name = last_name(call.callee) or ""
        if len(call.args) + len(call.kwargs) < 2:  # noqa: PLR2004 - labels and an output
            return False
        return name in self.named or any(word in name.lower() for word in self.table["loss_names"])

    def _keeps_loss(self, path: str) -> bool:
        """Whether a file, or one that it belongs together with, makes such a loss."""
        for name in self.named:
            if any(self.program.together(site.module, path) for site in self.program.ask(CallGraph).sites.get(name, ())):
                return True
        return False

    def _predicted(self, call: Call) -> Term | None:
        named = next((value for name, value in call.kwargs if name in (_PREDICTED, _LOGITS)), None)
        return named if named is not None else call.args[1] if len(call.args) > 1 else None

    def _compared(self, loss: Loss, heads: list[Head | None], module: str, node: CallStep) -> Iterator[Mismatch]:
        words = {self.word(head) if head is not None else None for head in heads}
        if len(words) != 1 or loss.from_logits is None or heads[0] is None:
            return
        word = words.pop()
        kind: Kind | None = None
        if word == "raw" and not loss.from_logits:
            kind = "raw"
        elif word == loss.squash and loss.from_logits and (self.known[loss.name].endswith(_LOGITS) or self._other_backend()):
            kind = "twice"
        if kind is None:
            return
        use, name = (module, node.term.site), loss.name.rpartition(".")[2]
        if loss.call is None or loss.frame is None or loss.call is node.term:
            text = loss.call is None
            instead = self._object(loss.name, module) if text else None
            yield Mismatch(module, node, kind, name, loss.squash, heads[0], use, text, instead)
            return
        made = next((each for each in calls_of(loss.frame.function) if each.term is loss.call), None)
        if made is not None:
            yield Mismatch(loss.frame.module, made, kind, name, loss.squash, heads[0], use, False, None)

    def _object(self, name: str, module: str) -> str | None:
        """How the class of a loss that was named by a text is written in a file."""
        parts = name.rpartition(".")
        called = "".join(part.capitalize() for part in parts[2].split("_"))
        sketch = self.program.modules[module]
        for dotted in (f"{parts[0]}.{called}", f"tensorflow.{parts[0]}.{called}"):
            written = reference(dotted, sketch)
            if written is not None:
                return f"{written}(from_logits=True)"
        return None

    def word(self, head: Head) -> str | None:
        """What an output is: ``raw``, or what squashed it; None when nobody knows."""
        if not head.layer:
            return self._word_of(head.name)
        if any(name is None for name, _ in head.call.kwargs):
            return None
        if head.name.endswith(".Softmax"):
            return "softmax"
        if head.name in self.table["activates"]:
            given = head.argument(_ACTIVATION, 0)
        elif head.name in self.table["projects"]:
            given = head.argument(_ACTIVATION, 1 if head.name in self.table["projects"][:1] else None)
            if given is None:
                return "raw" if len(head.call.args) <= 3 else None  # noqa: PLR2004 - convolutions: further arguments by position
        else:
            return None
        values = self.program.values(given, head.frame) if given is not None else ()
        if len(values) != 1:
            return None
        value = values[0]
        if isinstance(value, Library):
            return self._word_of(value.name)
        if isinstance(value, Unresolved) and isinstance(value.term, Const):
            if value.term.value in (None, *self.table["linear"]):
                return self._before(head) if head.name in self.table["activates"] else "raw"
            return str(value.term.value) if value.term.value in self.table["squashes"] else None
        return None

    def _before(self, head: Head) -> str | None:
        """What an activation that changes nothing is applied to."""
        if head.given is None or head.where is None:
            return None
        before = self.outputs.of_term(head.given, head.where)
        return self.word(before[0]) if len(before) == 1 and before[0] is not None else None

    def _word_of(self, dotted: str) -> str | None:
        name = dotted.rpartition(".")[2]
        return name if name in self.table["squashes"] else None

    def _other_backend(self) -> bool:
        """Whether Keras surely computes with something else than TensorFlow."""
        variable = self.table["backend_variable"][0]
        values = (write.value for write in self.program.ask(writes) if write.name == variable)
        chosen = {value.value if isinstance(value, Const) else None for value in values}
        return bool(chosen) and chosen.issubset(self.table["other_backends"])
