"""Objects of the project: which class a rank makes one of, the fields that it is given, what ``with ... as`` binds."""

from __future__ import annotations

from typing import Any

from trainlint.facts.gradients.bundles import fields_of
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Value
from trainlint.ir.nodes import Attr, Call, Const, Entered, Global, Ref, Select, Term, Tuple, Unknown
from trainlint.ir.sketch import Yield
from trainlint.ir.walk import of_kind
from trainlint.spmd.questions import Questions
from trainlint.spmd.settings import Settings
from trainlint.spmd.symbols import UNKNOWN, Something, Sym


class Objects(Questions):
    """The part of the evaluator that knows them."""

    def _of_entered(self, term: Entered, frame: Frame) -> Any:
        """What ``with ... as`` binds: what a generator yields, what ``__enter__`` returns."""
        manager = term.manager
        if isinstance(manager, Call):
            for value in self.program.values(manager.callee, frame):
                if isinstance(value, FunctionValue) and value.function.generator and not frame.runs(value.function):
                    yields = [node.value for node in of_kind(value.function, Yield) if node.value is not None]
                    if len(yields) == 1:
                        return self.value(yields[0], self.program.enter(value, manager, frame))
        for value in self.program.values(manager, frame):
            method = (
                self.program.method(ClassValue(value.module, value.cls), "__enter__") if isinstance(value, Instance) else None
            )
            if method is not None and isinstance(value, Instance):
                return self.run(method[1], self.program.instance_frame(value, method[0], method[1]))
        return Sym((term, frame))

    def field_of_class(self, term: Call, frame: Frame) -> Any:
        """A dataclass field: its default, or what its factory returns."""
        for keyword, value in term.kwargs:
            if keyword == "default":
                return self.value(value, frame)
            if keyword == "default_factory":
                for factory in self.program.values(value, frame):
                    if isinstance(factory, Library) and factory.name in self.program.knowledge.ranks:
                        return self.word(self.program.knowledge.ranks[factory.name], factory.name)
                    if isinstance(factory, FunctionValue):
                        return self.run(factory.function, self.program.frame(factory.module, factory.function))
        return Sym((term, frame))

    def chosen_callee(self, callee: Term, frame: Frame) -> Term:
        """Of several things that may be called, the one that this rank chooses, where that is known."""
        while isinstance(callee, Select):
            condition = self.value(callee.test, frame)
            if isinstance(condition, UNKNOWN) and not isinstance(condition, Something):
                break
            callee = callee.then if condition else callee.other
        return callee

    def made(self, cls: ClassValue, call: Call, frame: Frame) -> Any:
        """An object; of a value that is given to an enumeration, the member that has it."""
        if len(call.args) == 1 and not call.kwargs and self.is_enumeration(cls):
            return self.value(call.args[0], frame)
        return Something((call, frame, cls))

    def which(self, term: Term, frame: Frame) -> tuple[Value, ...]:
        """What a term stands for; of several objects of the project, the one that is made on this rank, if that is known.

        A function that sets a job up returns one object where there is one process, and another where there are several.
        """
        values = self.program.values(term, frame)
        if len(values) > 1 and all(isinstance(value, Instance) for value in values):
            thing = self.value(term, frame)
            if isinstance(thing, Something) and type(thing.key) is tuple and isinstance(thing.key[-1], ClassValue):
                call, where, cls = thing.key
                return (Instance(cls.module, cls.cls, call, where),)
        return values

    def callees(self, callee: Term, frame: Frame) -> tuple[Value, ...]:
        """What a call may run; of the methods of several objects that of the one which is made on this rank, if that is known."""
        values = self.program.values(callee, frame)
        if len(values) > 1 and isinstance(callee, Attr):
            things = self.which(callee.base, frame)
            owners = [value.receiver if isinstance(value, FunctionValue) else None for value in values]
            if len(things) == 1 and things[0] in owners:
                return (values[owners.index(things[0])],)
        return values

    def is_instance(self, term: Call, frame: Frame) -> bool | None:
        """What ``isinstance`` says of an object whose class the rank chose; None where that is not so, or not known."""
        wanted = term.args[1].items if isinstance(term.args[1], Tuple) else (term.args[1],)
        classes = [value for part in wanted for value in self.program.values(part, frame)]
        if not all(isinstance(value, ClassValue) for value in classes):
            return None
        thing, asked = self.evaluate(term.args[0], frame)
        if (
            not asked
            or not isinstance(thing, Something)
            or type(thing.key) is not tuple
            or not isinstance(thing.key[-1], ClassValue)
        ):
            return None
        self.asked = True
        return not set(self.program.lineage(thing.key[-1])).isdisjoint(classes)

    def asked_of(self, name: str, term: Call, frame: Frame) -> Any:
        """What a question about a thing answers: the same wherever it is asked of that thing."""
        thing = self.value(term.args[0], frame)
        rest = term.args[1:]
        if type(thing) is not Sym or term.kwargs or not all(isinstance(part, (Const, Ref, Global)) for part in rest):
            return Sym((term, frame))
        words = tuple(str(part.parts[-1]).rpartition(".")[2] for part in rest)
        return Sym((name, thing, words))

    def is_enumeration(self, cls: ClassValue) -> bool:
        """Whether a class is an ``Enum``: its members are equal if their values are."""
        known = self.program.knowledge.enumerations
        return any(isinstance(base, Library) and base.name in known for base in self.program.lineage(cls))

    def passed_as_field(self, instance: Instance, name: str) -> Bound | None:
        """What is passed for a field of a class that has no ``__init__`` of its own (a dataclass, a ``NamedTuple``)."""
        call, frame = instance.call, instance.frame
        cls = ClassValue(instance.module, instance.cls)
        if call is None or frame is None or not instance.cls.fields or self.program.method(cls, "__init__") is not None:
            return None
        fields = fields_of(self.program, cls)
        if name not in fields or self.program.stores(cls, name) or self.program.ask(Settings).of_attribute(instance, name):
            return None
        named = next((value for key, value in call.kwargs if key == name), None)
        place = fields.index(name)
        given = named if named is not None else call.args[place] if place < len(call.args) else None
        return None if given is None or any(isinstance(argument, Unknown) for argument in call.args) else Bound(given, frame)
